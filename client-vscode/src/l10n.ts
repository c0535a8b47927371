// Texts for people, in their language. VS Code's translations are plugged in when the extension
// starts, so that modules without VS Code have them too.

export type Translate = (message: string, ...values: (string | number)[]) => string;

/** The text itself, with its `{0}`, `{1}`, … replaced. */
const english: Translate = (message, ...values) =>
  message.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)]));

let translate = english;

export function translateWith(translation: Translate): void {
  translate = translation;
}

export const t: Translate = (message, ...values) => translate(message, ...values);
