import assert from "node:assert/strict";
import { test } from "node:test";
import { compare } from "../src/positions";
import { type Change, surviving } from "../src/stale";

/** The lines whose labels are left after edits of `before`, by the numbers that they have then. */
function left(before: string[], changes: Change[], label = (line: number) => String(line)) {
  const after = before.slice();
  for (const { range, text } of [...changes].sort((a, b) =>
    compare(b.range.start, a.range.start),
  )) {
    const { start, end } = range;
    const all = `${after[start.line]?.slice(0, start.character)}${text}${after[end.line]?.slice(end.character)}`;
    after.splice(start.line, end.line - start.line + 1, ...all.split("\n"));
  }
  const labels = new Map(before.map((_, line) => [line, { label: label(line) }]));
  const survivors = surviving(labels, changes, (line) => after[line]);
  return Object.fromEntries([...survivors].map(([line, { label }]) => [line, label]));
}

function change(line: number, character: number, text: string, to = [line, character]): Change {
  const [endLine = 0, endCharacter = 0] = to;
  return {
    range: { start: { line, character }, end: { line: endLine, character: endCharacter } },
    text,
  };
}

const LINES = ["one.", "two three", "four", "", "", "  five", "six"];

test("a word in a line touches only that line", () => {
  const rest = { 0: "0", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6" };
  assert.deepEqual(left(LINES, [change(1, 3, " and")]), rest);
});

test("lines behind an edit move with it", () => {
  const moved = { 0: "0", 3: "2", 4: "3", 5: "4", 6: "5", 7: "6" };
  assert.deepEqual(left(LINES, [change(1, 3, "\n")]), moved);
  const joined = { 0: "0", 5: "6" };
  // Line 5 is indented and follows only blank ones: its count isn't sure either.
  assert.deepEqual(left(LINES, [change(1, 3, "", [2, 1])]), joined);
});

test("the line before is in doubt when only white space or slashes are between", () => {
  assert.deepEqual(left(["one.", "two"], [change(1, 0, "x")]), {});
  assert.deepEqual(left(["one.", "  two"], [change(1, 2, "x")]), {});
  assert.deepEqual(left(["one.", "/two"], [change(1, 1, "x")]), {});
  assert.deepEqual(left(["one.", "two"], [change(1, 1, "x")]), { 0: "0" });
  assert.deepEqual(left(["one.", "", " ", "two", "x"], [change(3, 0, "x")]), { 4: "4" });
});

test("the line behind is in doubt when it begins with white space or a slash, or is empty", () => {
  assert.deepEqual(left(["one", "/two", "x"], [change(0, 1, "x")]), { 2: "2" });
  assert.deepEqual(left(["one", "\ttwo", "x"], [change(0, 1, "x")]), { 2: "2" });
  assert.deepEqual(left(["one", "", "  ", " two", "x"], [change(0, 1, "x")]), { 4: "4" });
  assert.deepEqual(left(["one", "", "two", "x"], [change(0, 1, "x")]), { 2: "2", 3: "3" });
});

test("several edits at once, in any order", () => {
  const edits = [change(0, 1, "\n"), change(2, 1, "a\nb"), change(2, 2, "\n")];
  const expected = { 2: "1", 9: "6" };
  assert.deepEqual(left(LINES, edits), expected);
  assert.deepEqual(left(LINES, [...edits].reverse()), expected);
});

test("what says more than its own line's tokens goes with an edit before it, or anywhere", () => {
  const soFar = (line: number) => `1 · ${line}`;
  assert.deepEqual(left(["a", "b", "c", "d"], [change(2, 1, "x")], soFar), {
    0: "1 · 0",
    1: "1 · 1",
  });
  assert.deepEqual(
    left(["a", "b", "c"], [change(2, 1, "x")], () => "user: 3"),
    {},
  );
});
