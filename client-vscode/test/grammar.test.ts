import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, type IRawGrammar, Registry } from "vscode-textmate";

const PROMPT = "syntaxes/prompt.tmLanguage.json";

const YAML: IRawGrammar = JSON.parse(`{"scopeName": "source.yaml", "patterns": []}`);

async function load(scope: string): Promise<IRawGrammar> {
  return scope === "source.yaml" ? YAML : JSON.parse(readFileSync(PROMPT, "utf8"));
}

const wasm = readFileSync("node_modules/vscode-oniguruma/release/onig.wasm");
const onigLib = loadWASM(wasm).then(() => ({ createOnigScanner, createOnigString }));
const registry = new Registry({ onigLib, loadGrammar: load });

/** The last line of `text`, with the innermost scope of each `[piece]` that has one of its own. */
async function scopes(text: string): Promise<string[]> {
  const grammar = await registry.loadGrammar("text.prompt");
  assert.ok(grammar);
  let state = INITIAL;
  let found: string[] = [];
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    found = tokens
      .filter((token) => token.scopes.length > 1)
      .map((token) => `${line.slice(token.startIndex, token.endIndex)} ${token.scopes.at(-1)}`)
      .filter((entry) => !/ (meta|punctuation)\./.test(entry));
  }
  return found;
}

async function check(text: string, ...expected: string[]): Promise<void> {
  assert.deepEqual(await scopes(text), expected, text);
}

test("control tokens", async () => {
  await check("Hola <|endoftext|> mundo", "<|endoftext|> keyword.control.token");
  const start = "<|im_start|> keyword.control.token";
  await check("<|im_start|>user", start, "user entity.name.tag.role");
  await check("<|im_start|>usuario", start);
  await check(
    "[INST] Hola [/INST]",
    "[INST] keyword.control.token",
    "[/INST] keyword.control.token",
  );
  await check("<|a b|> a < b | c >");
});

test("roles", async () => {
  await check("system:", "system entity.name.tag.role");
  await check("# User:", "User entity.name.tag.role");
  await check("the system: it works");
  await check("<System>", "System entity.name.tag.role");
  await check('{{role "user"}}', "role keyword.other.role", "user entity.name.tag.role");
});

test("placeholders and tags", async () => {
  const name = "variable.other.placeholder";
  await check("Hola, {{nombre}}.", `nombre ${name}`);
  await check("Hola, {{{ user.name }}}.", `user.name ${name}`);
  await check("Hola, $" + "{name}.", `name ${name}`);
  await check("{{#if style}}", "#if keyword.control.template", `style ${name}`);
  await check("{{/if}}", "/if keyword.control.template");
  await check(
    "{% for x in xs %}",
    "for keyword.control.template",
    `x ${name}`,
    "in keyword.operator",
    `xs ${name}`,
  );
  await check("a {{! note }} b", "{{! comment.block", " note  comment.block", "}} comment.block");
  await check("{# note #}", "{# comment.block", " note  comment.block", "#} comment.block");
});

test("a header stands at the very beginning only", async () => {
  await check("---\nmodel: x\n---\n{{a}}", "a variable.other.placeholder");
  await check("text\n---\n{{a}}", "a variable.other.placeholder");
  await check("---\nmodel: {{a}}", "model: {{a}} source.yaml");
});
