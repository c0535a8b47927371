// What the Token Inspector and its page say to each other, and how a token is written there.

import type { Range, Token } from "./contract";
import { compare } from "./positions";

/** Lines in a block, the piece of a document that is asked for and shown at once. */
export const BLOCK = 50;

export type ToPage =
  | { kind: "document"; title: string; version: number; blocks: number }
  | { kind: "block"; index: number; version: number; tokens: readonly Token[] }
  | { kind: "selection"; range: Range }
  | { kind: "problem"; message: string };

export type FromPage =
  | { kind: "ready" }
  | { kind: "block"; index: number }
  | { kind: "select"; range: Range };

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
