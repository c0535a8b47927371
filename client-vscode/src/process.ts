// How other programs are started: without a shell, and never in the workspace.

import { type ExecFileException, execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { t } from "./l10n";

const PROBE_TIMEOUT = 15_000;

/** Not the workspace, since Python would import from it. */
let workingFolder = homedir();

export async function startIn(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  workingFolder = folder;
}

/** How every program is started. */
export function spawnOptions() {
  const env = { ...process.env, PYTHONSAFEPATH: "1", PYTHONUTF8: "1" };
  return { cwd: workingFolder, env, windowsHide: true };
}

/** Runs a program without a shell; rejects with the last line that it printed as an error. */
export function run(
  command: string,
  args: readonly string[],
  timeout = PROBE_TIMEOUT,
): Promise<string> {
  const options = { ...spawnOptions(), timeout };
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error) {
        reject(new Error(explain(error, stderr)));
      } else {
        resolve(stdout);
      }
    });
  });
}

function explain(error: ExecFileException, stderr: string): string {
  if (error.killed) {
    return t("it didn't answer in time");
  }
  const messages: Record<string, string> = {
    ENOENT: t("there is no such file"),
    EACCES: t("it may not be executed"),
  };
  const known = typeof error.code === "string" ? messages[error.code] : undefined;
  return known ?? stderr.trim().split(/\r?\n/).at(-1) ?? error.message;
}
