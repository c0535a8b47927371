import assert from "node:assert/strict";
import { test } from "node:test";
import { type Colour, colour } from "../src/colours";
import { token } from "./places";

function check(places: string, ...expected: Colour[]): void {
  const coloured = colour(places.split(" ").filter(Boolean).map(token));
  assert.deepEqual(
    coloured.map((each) => each.colour),
    expected,
    places,
  );
}

test("neighbours differ and each line begins anew", () => {
  check("");
  check("0:0-0:1 0:1-0:2 0:2-0:3 0:3-0:4 0:4-0:5", 0, 1, 2, 3, 0);
  check("0:0-0:1 0:1-1:0 1:0-1:3", 0, 1, 0);
  check("7:0-7:1 7:1-7:2", 0, 1);
});

test("a token that reaches into the next line differs from its neighbour there", () => {
  check("0:0-1:2 1:2-1:3 1:3-1:4", 0, 1, 2);
});

test("control tokens have a colour of their own", () => {
  check("0:0-0:5! 0:5-0:6 0:6-0:11! 0:11-0:12", "control", 0, "control", 1);
});

test("tokens that share a character are shown as one", () => {
  const [first, second] = colour(["0:0-0:1", "0:0-0:1", "0:0-0:2", "0:2-0:3"].map(token));
  assert.deepEqual(first?.range.end, { line: 0, character: 2 });
  assert.equal(second?.colour, 1);
});
