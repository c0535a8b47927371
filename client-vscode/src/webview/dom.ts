// The little that both pages need of the DOM, and the way to the extension.

interface Host {
  postMessage(message: unknown): void;
}

declare function acquireVsCodeApi(): Host;

export const host = acquireVsCodeApi();

/** An element with properties and children. Text is always text, never HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    created.setAttribute(key, value);
  }
  created.append(...children);
  return created;
}
