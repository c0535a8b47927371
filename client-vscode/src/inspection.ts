// What the Token Inspector and its page say to each other, and how a token is written there.

import type { Position, Range, Token } from "./contract";

/** Lines in a block, the piece of a document that is asked for and shown at once. */
export const BLOCK = 50;

export type ToPage =
  | {
      readonly kind: "document";
      readonly title: string;
      readonly version: number;
      readonly blocks: number;
    }
  | {
      readonly kind: "block";
      readonly index: number;
      readonly version: number;
      readonly tokens: readonly Token[];
    }
  | { readonly kind: "selection"; readonly range: Range }
  | { readonly kind: "problem"; readonly message: string };

export type FromPage =
  | { readonly kind: "ready" }
  | { readonly kind: "block"; readonly index: number }
  | { readonly kind: "select"; readonly range: Range };

const SIGNS: Record<string, string> = { " ": "·", "\t": "→", "\n": "⏎", "\r": "␍", "\u00a0": "⍽" };

/** A token's text with its whitespace visible, or its bytes when it holds a part of a character. */
export function written({ text, bytes }: Pick<Token, "text" | "bytes">): string {
  if (text === null) {
    return bytes.replace(/../g, "\\x$&");
  }
  return text.replace(
    /[\s\p{Cc}\p{Cf}\p{Cs}\p{Zs}]/gu,
    (character) => SIGNS[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The tokens that begin in block `index`. */
export function inBlock(tokens: readonly Token[], index: number): Token[] {
  return tokens.filter(({ range }) => Math.floor(range.start.line / BLOCK) === index);
}

/** Whether a token is touched by a selection; a cursor touches the token after it. */
export function touches(token: Range, selection: Range): boolean {
  const empty = compare(selection.start, selection.end) === 0;
  return (
    compare(token.start, empty ? selection.start : selection.end) < (empty ? 1 : 0) &&
    compare(token.end, selection.start) > 0
  );
}

function compare(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}
