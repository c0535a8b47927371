import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES } from "../src/formats";

const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const manifest = json("package.json");
const sources = readdirSync("src")
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(`src/${name}`, "utf8"))
  .join("\n");

test("each string of the manifest exists in both languages", () => {
  const text = readFileSync("package.json", "utf8");
  const used = [...text.matchAll(/"%([^"%]+)%"/g)].map((match) => match[1]).sort();
  const names = [...new Set(used)];
  assert.deepEqual(Object.keys(json("package.nls.json")).sort(), names);
  assert.deepEqual(Object.keys(json("package.nls.es.json")).sort(), names);
});

test("each string of the code is translated, with the same places for values", () => {
  const calls = sources.matchAll(/(?:\bl10n\.t|\bt)\(\s*"((?:[^"\\]|\\.)*)"/g);
  const used = new Set([...calls].map((match) => JSON.parse(`"${match[1]}"`)));
  const spanish: Record<string, string> = json("l10n/bundle.l10n.es.json");
  assert.deepEqual(Object.keys(spanish).sort(), [...used].sort());
  const places = (message: string) => (message.match(/\{\d\}/g) ?? []).sort();
  for (const [english, translated] of Object.entries(spanish)) {
    assert.deepEqual(places(translated), places(english), english);
  }
});

test("each command of the manifest is registered, and each registered one is in the manifest", () => {
  const registered = [...sources.matchAll(/^\s*command\("(\w+)"/gm)].map((match) => match[1]);
  const contributed = manifest.contributes.commands.map((c: { command: string }) => c.command);
  assert.deepEqual(contributed.sort(), registered.map((name) => `promptls.${name}`).sort());
});

// VS Code does it by itself for a contributed language with a configuration, and only for those.
test("each language of the selector activates the extension", () => {
  const events = manifest.activationEvents.filter((event: string) => /^onLanguage:/.test(event));
  assert.deepEqual(
    events,
    LANGUAGES.map((language) => `onLanguage:${language}`),
  );
});

// The manifest names TOML a language of its own, or settings files would be plain text, and so
// prompts, wherever no other extension does it.
test("settings files aren't plain text", () => {
  const files = manifest.contributes.languages.flatMap(
    ({ extensions }: { extensions: string[] }) => extensions,
  );
  assert.ok(files.includes(".toml"));
  assert.ok(!LANGUAGES.includes("toml"));
});

test("each setting has a description, a scope and an order of its own", () => {
  const settings = Object.values(manifest.contributes.configuration.properties);
  const orders = settings.map((setting) => (setting as { order: number }).order);
  assert.equal(new Set(orders).size, settings.length);
  for (const setting of settings as Record<string, unknown>[]) {
    assert.ok(setting.markdownDescription && setting.scope, JSON.stringify(setting));
  }
});

test("settings that name a program or a file are ignored in untrusted workspaces", () => {
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  const named = Object.keys(manifest.contributes.configuration.properties).filter((name) =>
    /\.(path|interpreter|encodings)$/.test(name),
  );
  for (const name of named) {
    assert.ok(restrictedConfigurations.includes(name), name);
  }
});
