// Which colour each token gets.

import type { Position, Range, Token } from "./contract";
import { compare } from "./positions";

export const COLOURS = 4;
export type Colour = number | "control";

export interface Coloured {
  readonly range: Range;
  readonly colour: Colour;
}

/**
 * Neighbours differ, and a token's colour depends only on the tokens of its line (and on a token
 * that reaches into the line from the one before): scrolling and editing elsewhere change nothing.
 * Tokens that share a character are shown as one, since a part of a character can't be coloured.
 */
export function colour(tokens: readonly Token[]): Coloured[] {
  const coloured: Coloured[] = [];
  let line = -1;
  let end: Position = { line: 0, character: 0 };
  let index = 0;
  for (const { range, special } of tokens) {
    if (coloured.length > 0 && compare(range.start, end) < 0) {
      const last = coloured[coloured.length - 1] as Coloured;
      end = compare(end, range.end) < 0 ? range.end : end;
      coloured[coloured.length - 1] = { ...last, range: { start: last.range.start, end } };
      continue;
    }
    const reached = end.line === range.start.line && end.character > 0 && line !== end.line;
    if (range.start.line !== line && !reached) {
      index = 0;
    }
    line = range.start.line;
    end = range.end;
    coloured.push({ range, colour: special ? "control" : index % COLOURS });
    index += special ? 0 : 1;
  }
  return coloured;
}
