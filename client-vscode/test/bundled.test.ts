import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bundledServer } from "../src/bundled";
import type { Candidate, Run } from "../src/launch";

const PYTHON: Candidate = { source: "PATH", command: "python3", kind: "python" };

/** An extension with a bundle, its storage, and a machine on which every program succeeds. */
function machine(id = "abc") {
  const root = mkdtempSync(join(tmpdir(), "promptls bundle "));
  const [extension, storage] = [join(root, "extension"), join(root, "storage")];
  mkdirSync(join(extension, "bundled/wheels"), { recursive: true });
  mkdirSync(storage);
  const installer = "pip-26.3-py3-none-any.whl";
  // The SHA-256 of "abc" (FIPS 180-2, appendix B.1).
  const installerHash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  const bundle = { version: "0.1.0", id, installer, installerHash };
  writeFileSync(join(extension, "bundled/bundle.json"), JSON.stringify(bundle));
  const pip = join(extension, "bundled/wheels", installer);
  writeFileSync(pip, "abc");
  const state = { commands: [] as string[], lines: [] as string[], broken: false, failing: "" };
  const run: Run = async (command, args) => {
    const line = [command, ...args].join(" ");
    const what = /sys\.version/.test(line)
      ? "version"
      : (/ venv | install | import pygls/.exec(line)?.[0].trim() ?? line);
    if (what === state.failing || (what === "import pygls" && state.broken)) {
      throw new Error(`${what} failed`);
    }
    state.lines.push(line);
    if (what !== "version") {
      state.commands.push(what);
    }
    if (what === "venv") {
      mkdirSync(args.at(-1) as string, { recursive: true });
      state.broken = false;
    }
    return what === "version" ? "3.12\n" : "0.1.0\n";
  };
  const install = bundledServer(extension, storage, run, (work) => work());
  assert.ok(install);
  return { install, storage, state, pip, folder: join(storage, `server-${id}-3.12`) };
}

test("without a bundle there is nothing to install", () => {
  const empty = mkdtempSync(join(tmpdir(), "promptls empty "));
  assert.equal(
    bundledServer(
      empty,
      empty,
      async () => "",
      (work) => work(),
    ),
    undefined,
  );
});

test("the first start sets up an environment, the next ones use it", async () => {
  const { install, state, folder } = machine();
  const launch = await install(PYTHON);
  assert.ok(launch.command.startsWith(folder));
  assert.equal(launch.version, "0.1.0");
  assert.deepEqual(state.commands, ["venv", "install"]);
  await install(PYTHON);
  assert.deepEqual(state.commands.slice(2), ["import pygls"]);
});

test("no wheel is installed whose hash isn't known", async () => {
  const { install, state } = machine();
  await install(PYTHON);
  const line = state.lines.find((each) => each.includes(" install ")) ?? "";
  assert.match(line, / --no-index .*--require-hashes .*requirements\.txt$/);
});

test("a pip that was tampered with is never run", async () => {
  const { install, state, pip } = machine();
  writeFileSync(pip, "abd");
  await assert.rejects(async () => install(PYTHON), /pip-26\.3.* isn't what was packaged/);
  assert.deepEqual(state.commands, []);
  writeFileSync(pip, "abc");
  await install(PYTHON);
  assert.deepEqual(state.commands, ["venv", "install"]);
});

test("a broken environment is set up again", async () => {
  const { install, state } = machine();
  await install(PYTHON);
  state.broken = true;
  await install(PYTHON);
  assert.deepEqual(state.commands.slice(2), ["venv", "install"]);
});

test("windows that start at the same time set it up once", async () => {
  const { install, state } = machine();
  await Promise.all([install(PYTHON), install(PYTHON), install(PYTHON)]);
  assert.deepEqual(state.commands, ["venv", "install"]);
});

test("a set-up that fails can be tried again", async () => {
  const { install, state, storage } = machine();
  state.failing = "install";
  await assert.rejects(async () => install(PYTHON), /install failed/);
  assert.deepEqual(
    readdirSync(storage).filter((name) => name.endsWith(".lock")),
    [],
  );
  state.failing = "";
  await install(PYTHON);
  assert.deepEqual(state.commands, ["venv", "venv", "install"]);
});

test("environments of other bundles go when nothing has used them for a week", async () => {
  const { install, storage, folder } = machine();
  const [recent, old] = [join(storage, "server-new-3.12"), join(storage, "server-old-3.12")];
  const longAgo = new Date(Date.now() - 8 * 24 * 3600_000);
  for (const [other, used] of [
    [recent, new Date()],
    [old, longAgo],
  ] as const) {
    mkdirSync(other);
    writeFileSync(join(other, "ready"), "");
    utimesSync(join(other, "ready"), used, used);
  }
  await install(PYTHON);
  assert.deepEqual([folder, recent, old].map(existsSync), [true, true, false]);
});
