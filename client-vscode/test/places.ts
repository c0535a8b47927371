// Places in a text, as tests write them.

import type { Range, Token } from "../src/contract";

/** A range from `line:character-line:character`. */
export function range(place: string): Range {
  const [a = 0, b = 0, c = 0, d = 0] = place.match(/\d+/g)?.map(Number) ?? [];
  return { start: { line: a, character: b }, end: { line: c, character: d } };
}

/** A token at such a range, a control token with `!` at the end. */
export function token(place: string): Token {
  const special = place.endsWith("!");
  return { id: 0, text: "", bytes: "", start: 0, end: 0, special, range: range(place) };
}
