import assert from "node:assert/strict";
import { test } from "node:test";
import { type Column, markdown, pressed, table } from "../src/comparison";
import type { Comparison } from "../src/contract";

const row = (encoding: string, tokens: number, words: number) => ({
  encoding,
  tokens,
  characters_per_token: 20 / tokens,
  bytes_per_token: 24 / tokens,
  tokens_per_word: words,
});

const CHOICE = { chosen_by: "default", models: [], exactness: "exact" } as const;
const COMPARISON: Comparison = {
  ...CHOICE,
  encoding: "o200k_base",
  rows: [row("gpt2", 12, 2), row("cl100k_base", 10, 1.5), row("o200k_base", 8, 1.25)],
};

function check(column: Column, descending: boolean, ...expected: string[]): void {
  const rows = table(COMPARISON, { column, descending }, "en");
  assert.deepEqual(
    rows.map(({ encoding }) => encoding),
    expected,
    column,
  );
}

test("rows are ordered by each column, both ways", () => {
  check("tokens", false, "o200k_base", "cl100k_base", "gpt2");
  check("tokens", true, "gpt2", "cl100k_base", "o200k_base");
  check("difference", false, "o200k_base", "cl100k_base", "gpt2");
  check("encoding", false, "cl100k_base", "gpt2", "o200k_base");
  check("characters_per_token", false, "gpt2", "cl100k_base", "o200k_base");
  check("tokens_per_word", true, "gpt2", "cl100k_base", "o200k_base");
});

test("pressing a header orders by it, and again turns the order round", () => {
  const first = pressed({ column: "tokens", descending: false }, "encoding");
  assert.deepEqual(first, { column: "encoding", descending: false });
  assert.deepEqual(pressed(first, "encoding"), { column: "encoding", descending: true });
});

test("cells show the difference to the active encoding, in the locale's numbers", () => {
  const [o200k, cl100k, gpt2] = table(COMPARISON, { column: "tokens", descending: false }, "en");
  assert.deepEqual(gpt2?.cells, ["gpt2", "12", "+50%", "1.67", "2.00", "2.00"]);
  assert.equal(cl100k?.cells[2], "+25%");
  assert.equal(o200k?.cells[2], "0%");
  assert.deepEqual([o200k?.active, gpt2?.active], [true, false]);
  assert.deepEqual([gpt2?.bar, cl100k?.bar], [1, 10 / 12]);
  const [spanish] = table(COMPARISON, { column: "tokens", descending: true }, "es");
  assert.equal(spanish?.cells[3], "1,67");
});

test("a count that branches decide is a range, and one of a stand-in is marked", () => {
  const [first] = COMPARISON.rows;
  const about = { ...COMPARISON, exactness: "about" } as const;
  const ranged = { ...COMPARISON, rows: [{ ...first, low: 7, high: 12 }] } as Comparison;
  const order = { column: "tokens", descending: false } as const;
  assert.deepEqual(
    table(about, order, "en").map(({ cells }) => cells[1]),
    ["≈8", "10", "12"],
  );
  assert.equal(table(ranged, order, "en")[0]?.cells[1], "7–12");
});

test("nothing to compare, and an empty text", () => {
  assert.deepEqual(
    table({ ...CHOICE, encoding: "gpt2", rows: [] }, { column: "tokens", descending: false }, "en"),
    [],
  );
  const empty = { ...CHOICE, encoding: "gpt2", rows: [row("gpt2", 0, 0)] };
  const [only] = table(empty, { column: "tokens", descending: false }, "en");
  assert.equal(only?.bar, 0);
  assert.equal(only?.cells[2], "");
});

test("a name in the copy is no Markdown", () => {
  const comparison = { ...CHOICE, encoding: "a", rows: [row("a|`b`[c](d)<e>", 1, 1)] };
  const rows = table(comparison, { column: "tokens", descending: false }, "en");
  const line = markdown(["Encoding"], rows).split("\n")[2];
  assert.ok(line?.startsWith("| a\\|\\`b\\`\\[c](d)\\<e> | 1 |"));
});

test("the copy is a Markdown table", () => {
  const rows = table(COMPARISON, { column: "tokens", descending: false }, "en").slice(0, 1);
  const text = markdown(["Encoding", "Tokens", "±", "c/t", "b/t", "t/w"], rows);
  assert.equal(
    text,
    "| Encoding | Tokens | ± | c/t | b/t | t/w |\n| :-- | --: | --: | --: | --: | --: |\n| o200k_base | 8 | 0% | 2.50 | 3.00 | 1.25 |\n",
  );
});
