import assert from "node:assert/strict";
import { test } from "node:test";
import type { Status } from "../src/contract";
import { budget, count, pressure, share, statusText } from "../src/format";

const STATUS: Status = {
  uri: "file:///a.prompt",
  version: 1,
  format: "text",
  encoding: "o200k_base",
  tokens: 1234,
  exact: true,
  exactness: "exact",
  chosen_by: "default",
  models: [],
  prompts: null,
  uncounted: [],
  placeholders: 0,
  messages: 1,
  lines: 10,
  characters: 5000,
  budget: null,
  state: "done",
};

test("the status bar's text", () => {
  const check = (changes: Partial<Status>, selected: number | undefined, expected: string) =>
    assert.equal(statusText({ ...STATUS, ...changes }, selected, "en"), expected);
  check({}, undefined, "1,234 tokens · o200k_base");
  check({}, 12, "12 of 1,234 tokens · o200k_base");
  check({}, 0, "0 of 1,234 tokens · o200k_base");
  check({ exact: false }, undefined, "~1,234 tokens · o200k_base");
  check({ exact: false }, 5, "~5 of ~1,234 tokens · o200k_base");
  check({ budget: 2000 }, undefined, "1,234 tokens (61%) · o200k_base");
  check({ encoding: "gpt2", tokens: 1 }, undefined, "1 tokens · gpt2");
});

test("counts follow the locale", () => {
  assert.equal(count(12345, true, "es"), "12.345");
  assert.equal(count(12345, false, "en"), "~12,345");
});

test("a share is never rounded up to the whole budget", () => {
  assert.equal(share(999, 1000), "99%");
  assert.equal(share(1000, 1000), "100%");
  assert.equal(share(0, 1000), "0%");
});

test("how far the budget is used up", () => {
  const check = (tokens: number, budget: number | null, expected: string) =>
    assert.equal(pressure({ ...STATUS, tokens, budget }), expected);
  check(500, null, "none");
  check(89, 100, "none");
  check(90, 100, "near");
  check(100, 100, "near");
  check(101, 100, "over");
});

test("a budget is read as people write it", () => {
  const check = (text: string, expected: number | null | undefined) =>
    assert.equal(budget(text), expected, text);
  check("4000", 4000);
  check(" 128k ", 128_000);
  check("1M", 1_000_000);
  check("1.5k", 1500);
  check("", null);
  check("0", undefined);
  check("1.5", undefined);
  check("-3", undefined);
  check("many", undefined);
});
