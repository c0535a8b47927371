// The order of places in a text.

import type { Position } from "./contract";

/** Below 0 where `a` comes before `b`, above 0 where it comes behind it. */
export function compare(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}
