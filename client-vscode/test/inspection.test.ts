import assert from "node:assert/strict";
import { test } from "node:test";
import { BLOCK, inBlock, touches, written } from "../src/inspection";
import { range, token } from "./places";

test("whitespace, control characters and parts of characters are written out", () => {
  const check = (text: string | null, expected: string, bytes = "") =>
    assert.equal(written({ text, bytes }), expected);
  check(" hola", "·hola");
  check("\n\n", "⏎⏎");
  check("\tx\r\n", "→x␍⏎");
  check("漢字", "漢字");
  check("\u200b", "\\u{200b}");
  check("\u2028", "\\u{2028}");
  check("👍🏽", "👍🏽");
  check(null, "\\xe6\\xbc", "e6bc");
});

test("a selection touches the tokens that it covers, a cursor the one after it", () => {
  const check = (token: string, selection: string, expected: boolean) =>
    assert.equal(touches(range(token), range(selection)), expected, `${token} ${selection}`);
  check("0:2-0:5", "0:0-0:2", false);
  check("0:2-0:5", "0:0-0:3", true);
  check("0:2-0:5", "0:5-0:9", false);
  check("0:2-0:5", "0:4-0:9", true);
  check("0:2-0:5", "0:2-0:2", true);
  check("0:2-0:5", "0:5-0:5", false);
  check("0:2-1:0", "1:0-1:0", false);
  check("0:2-1:4", "1:0-1:0", true);
});

test("a token belongs to the block in which it begins", () => {
  const tokens = [token(`${BLOCK - 1}:3-${BLOCK}:0`), token(`${BLOCK}:0-${BLOCK}:2`)];
  assert.deepEqual(inBlock(tokens, 0), [tokens[0]]);
  assert.deepEqual(inBlock(tokens, 1), [tokens[1]]);
});
