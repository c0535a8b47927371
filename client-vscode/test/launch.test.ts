import assert from "node:assert/strict";
import { test } from "node:test";
import { type Candidate, findLaunch, type Install, older, report } from "../src/launch";

const python = (command: string, more: Partial<Candidate> = {}): Candidate => ({
  source: "PATH",
  command,
  kind: "python",
  ...more,
});

const ANSWERS: Record<string, string> = {
  good: '{"python": "3.12", "promptls": "0.1.0"}\n',
  chatty: 'Activating…\r\n{"python": "3.12", "promptls": "1.0.0rc1"}\r\n',
  bare: '{"python": "3.10", "promptls": null}\n',
  old: '{"python": "3.9", "promptls": "0.1.0"}\n',
  stale: '{"python": "3.12", "promptls": "0.0.9"}\n',
  node: "Welcome to Node.js\n",
  server: "promptls 0.2.0\n",
};

async function run(command: string): Promise<string> {
  const answer = ANSWERS[command];
  if (answer === undefined) {
    throw new Error("there is no such file");
  }
  return answer;
}

async function check(
  candidates: Candidate[],
  expected: string | undefined,
  rejected: RegExp[],
  install?: Install,
): Promise<void> {
  const { launch, attempts } = await findLaunch(candidates, run, install);
  assert.equal(launch && [launch.command, ...launch.args].join(" "), expected);
  const reasons = attempts.flatMap(({ rejected }) => rejected ?? []);
  assert.equal(reasons.length, rejected.length, reasons.join("; "));
  for (const [i, pattern] of rejected.entries()) {
    assert.match(reasons[i] ?? "", pattern);
  }
}

test("the first candidate that will do is chosen", async () => {
  const good = "good -m promptls";
  await check([python("good"), python("chatty")], good, []);
  await check([python("chatty")], "chatty -m promptls", []);
  await check([python("gone"), python("good")], good, [/no such file/]);
  await check([python("old"), python("good")], good, [/Python 3\.9; 3\.10 or newer/]);
  await check([python("stale"), python("good")], good, [/promptls is 0\.0\.9; 0\.1\.0 or newer/]);
  await check([python("node"), python("good")], good, [/doesn't answer like Python/]);
  await check([python("good", { args: ["-3"] })], "good -3 -m promptls", []);
  await check([python("server", { kind: "server" })], "server", []);
  await check([python("node", { kind: "server" })], undefined, [/which version/]);
  await check([], undefined, []);
});

test("nothing else is tried when the configured one fails", async () => {
  await check([python("gone", { configured: true }), python("good")], undefined, [/no such file/]);
  await check([python("bare", { configured: true }), python("good")], undefined, [
    /isn't installed/,
  ]);
});

test("the bundledr is set up only when no installed one will do", async () => {
  const install: Install = async ({ command }) => {
    if (command === "bare") {
      return { command: "own", args: [], version: "0.1.0", source: "bundled" };
    }
    throw new Error("no wheel fits");
  };
  await check([python("bare"), python("good")], "good -m promptls", [/isn't/], install);
  await check([python("gone"), python("bare")], "own", [/no such/, /isn't installed/], install);
  await check([python("bare", { configured: true })], "own", [/isn't installed/], install);
  const failing: Install = () => Promise.reject(new Error("no wheel fits"));
  await check([python("bare")], undefined, [/isn't installed/, /no wheel fits/], failing);
});

test("versions are compared by their numbers", () => {
  const check = (version: string, than: string, expected: boolean) =>
    assert.equal(older(version, than), expected, `${version} < ${than}`);
  check("3.9", "3.10", true);
  check("3.10", "3.10", false);
  check("3.14", "3.10", false);
  check("0.1", "0.1.0", false);
  check("0.1.0rc1", "0.1.0", false);
  check("1.0", "0.9.9", false);
});

test("the report names each candidate and why it was rejected", async () => {
  const { attempts } = await findLaunch([python("gone"), python("good")], run);
  const expected = "- PATH: `gone`: there is no such file\n- PATH: `good`: **chosen**";
  assert.equal(report(attempts), expected);
});
