import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const ALLOWED = [
  /^(package(\.nls(\.es)?)?\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^out\/(extension|webview\/(compare|inspector))\.js$/,
  /^l10n\/bundle\.l10n\.es\.json$/,
  /^(syntaxes|language-configuration)\/[\w.-]+\.json$/,
  /^media\/([\w-]+\.(css|svg|png)|walkthrough\/\w+\.png)$/,
  /^bundled\/(bundle\.json|requirements\.txt|wheels\/[\w.+-]+\.whl)$/,
];

test("the package holds nothing but what it needs", () => {
  const vsce = "node_modules/@vscode/vsce/vsce";
  const listed = execFileSync(process.execPath, [vsce, "ls", "--no-dependencies"]).toString();
  const files = listed.split(/\r?\n/).filter((line) => line && !line.startsWith(" "));
  assert.ok(files.includes("package.json"), listed);
  assert.deepEqual(
    files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file))),
    [],
  );
});
