import assert from "node:assert/strict";
import { test } from "node:test";
import { CrashLimit, coalesced } from "../src/queue";

test("calls run one after the other, and those that wait share one turn", async () => {
  const events: string[] = [];
  let turn = 0;
  const restart = coalesced(async () => {
    const mine = ++turn;
    events.push(`start ${mine}`);
    await new Promise((resolve) => setImmediate(resolve));
    events.push(`end ${mine}`);
  });
  await Promise.all([restart(), restart(), restart()]);
  assert.deepEqual(events, ["start 1", "end 1", "start 2", "end 2"]);
  await restart();
  assert.deepEqual(events.slice(4), ["start 3", "end 3"]);
});

test("a turn that fails doesn't stop the next one", async () => {
  let turn = 0;
  const restart = coalesced(async () => {
    if (++turn === 1) {
      throw new Error("no");
    }
  });
  const [first, second] = await Promise.allSettled([restart(), restart()]);
  assert.equal(first.status, "rejected");
  assert.equal(second.status, "fulfilled");
  assert.equal(turn, 2);
});

test("crashes are limited within a period", () => {
  let now = 0;
  const crashes = new CrashLimit(2, 1000, () => now);
  const at = (time: number) => {
    now = time;
    return crashes.allows();
  };
  assert.deepEqual([at(0), at(1), at(2)], [true, true, false]);
  assert.equal(at(2000), true);
  crashes.reset();
  assert.deepEqual([at(2001), at(2002), at(2003)], [true, true, false]);
});
