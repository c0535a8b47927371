// Packages the extension with its server for one platform: this one, or `--target linux-arm64`.
// `--without-server` leaves the server out, for those who have it in an environment of their own.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";

const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const has = (name) => process.argv.includes(name);

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) {
    console.error(error?.message ?? `${command} ${args.join(" ")} failed`);
    process.exit(1);
  }
}

function python() {
  const environment = process.platform === "win32" ? "Scripts/python.exe" : "bin/python";
  return [`../.venv/${environment}`].find(existsSync) ?? "python3";
}

const target = has("--target") ? argument("--target") : `${process.platform}-${process.arch}`;
const vsce = ["node_modules/@vscode/vsce/vsce", "package", "--no-dependencies"];
if (has("--without-server")) {
  rmSync("bundled/bundle.json", { force: true });
  run(process.execPath, ...vsce, "--out", "promptls.vsix", "--ignoreFile", ".vscodeignore-thin");
} else {
  run(python(), "scripts/bundle.py", target);
  run(process.execPath, ...vsce, "--target", target, "--out", `promptls-${target}.vsix`);
}
