import assert from "node:assert/strict";
import { test } from "node:test";
import type { Status } from "../src/contract";
import { amount, budget, fullAmount, pressure, share, statusText, sum } from "../src/format";

const STATUS: Status = {
  uri: "file:///a.prompt",
  version: 1,
  format: "text",
  encoding: "o200k_base",
  chosen_by: "default",
  models: [],
  tokens: 1234,
  exactness: "exact",
  exact: true,
  prompts: null,
  uncounted: [],
  placeholders: 0,
  messages: 1,
  lines: 10,
  characters: 5000,
  budget: null,
  state: "done",
};
const exact = (tokens: number, low?: number, high?: number) =>
  low === undefined || high === undefined
    ? { tokens, exactness: "exact" as const }
    : { tokens, exactness: "exact" as const, low, high };
const PROMPTS = { count: 10, least: exact(11, 9, 11), most: exact(40, 30, 40) };

test("the status bar's text", () => {
  const check = (changes: Partial<Status>, selected: number | undefined, expected: string) => {
    const selection = selected === undefined ? undefined : exact(selected);
    assert.equal(statusText({ ...STATUS, ...changes }, selection, "en"), expected);
  };
  check({}, undefined, "1,234 tokens · o200k_base");
  check({}, 12, "12 of 1,234 tokens · o200k_base");
  check({}, 0, "0 of 1,234 tokens · o200k_base");
  check({ exactness: "about" }, undefined, "≈1,234 tokens · o200k_base");
  check({ exactness: "about" }, 5, "5 of ≈1,234 tokens · o200k_base");
  check({ low: 1100, high: 1234 }, undefined, "1,100–1,234 tokens · o200k_base");
  check(
    { low: 1100, high: 1234, budget: 2000 },
    undefined,
    "1,100–1,234 tokens (61%) · o200k_base",
  );
  check({ prompts: PROMPTS }, undefined, "10 prompts of 9–40 tokens · o200k_base");
  check({ prompts: PROMPTS, budget: 80 }, 7, "7 of 1,234 tokens (50%) · o200k_base");
  check({ budget: 2000 }, undefined, "1,234 tokens (61%) · o200k_base");
  check({ encoding: "gpt2", tokens: 1 }, undefined, "1 token · gpt2");
});

test("counts follow the locale and say how sure they are", () => {
  assert.equal(amount(exact(12345), "es"), "12.345");
  assert.equal(amount({ tokens: 12345, exactness: "about" }, "en"), "≈12,345");
  assert.equal(amount({ tokens: 12345, exactness: "reconstructed" }, "en"), "≈12,345");
  assert.equal(amount(exact(18, 11, 18), "en"), "11–18");
  assert.equal(amount(exact(18, 18, 18), "en"), "18");
  const measured = { tokens: 174, exactness: "about", low: 160, high: 190 } as const;
  assert.equal(fullAmount(measured, "en"), "≈174 (160–190)");
  assert.equal(fullAmount(exact(18, 11, 18), "en"), "11–18");
});

test("amounts are as sure together as the less sure of them", () => {
  const about = { tokens: 3, exactness: "about" } as const;
  assert.deepEqual(sum([exact(2, 1, 2), about]), {
    tokens: 5,
    exactness: "about",
    low: 4,
    high: 5,
  });
  assert.equal(amount(sum([exact(2), exact(3)]), "en"), "5");
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
  // The budget is held against the most: of a range, and of each of several prompts.
  assert.equal(pressure({ ...STATUS, tokens: 80, low: 80, high: 101, budget: 100 }), "over");
  assert.equal(pressure({ ...STATUS, prompts: PROMPTS, budget: 100 }), "none");
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
