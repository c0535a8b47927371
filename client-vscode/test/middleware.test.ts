import assert from "node:assert/strict";
import { test } from "node:test";
import { forServer } from "../src/middleware";

test("the server is given its own settings, and null for texts that aren't set", () => {
  const check = (settings: unknown, expected: unknown) =>
    assert.deepEqual(forServer(settings), expected);
  check(
    { encoding: "", model: "gpt-4o", hints: { mode: "line" }, interpreter: "/a", server: {} },
    { encoding: null, model: "gpt-4o", hints: { mode: "line" } },
  );
  check({ trace: { server: "off" }, budget: null, rules: {} }, { budget: null, rules: {} });
  check(null, null);
  check(undefined, undefined);
});
