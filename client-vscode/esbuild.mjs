// Bundles the extension, or its unit tests with `--tests`, into out/.
import { readdirSync } from "node:fs";
import * as esbuild from "esbuild";

const has = (flag) => process.argv.includes(flag);
const common = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  logLevel: "warning",
};

const extension = {
  ...common,
  entryPoints: ["src/extension.ts"],
  outdir: "out",
  minify: has("--production"),
  sourcemap: has("--production") ? false : "linked",
};

const pages = {
  bundle: true,
  platform: "browser",
  format: "iife",
  target: "es2022",
  logLevel: "warning",
  entryPoints: ["src/webview/compare.ts", "src/webview/inspector.ts"],
  outdir: "out/webview",
  minify: has("--production"),
};

const tests = {
  ...common,
  entryPoints: readdirSync("test")
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name}`),
  outdir: "out/test",
  sourcemap: "inline",
};

const targets = has("--tests") ? [tests] : [extension, pages];
for (const target of targets) {
  if (has("--watch")) {
    await (await esbuild.context(target)).watch();
  } else {
    await esbuild.build(target);
  }
}
