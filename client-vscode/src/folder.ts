// The tokens of all prompts in a folder, counted by the command line.

import { spawn } from "node:child_process";
import { resolve } from "node:path";
import * as vscode from "vscode";
import type { AmountRow } from "./contract";
import { counted } from "./format";
import { t } from "./l10n";
import { spawnOptions } from "./process";
import type { Server } from "./server";

interface FileCount extends AmountRow {
  readonly path: string;
  readonly encoding: string;
  readonly format: string;
}

interface FolderCount {
  readonly total: number;
  readonly files: readonly FileCount[];
}

/** Count a folder, with progress and a way to stop, and offer its files, the largest first. */
export async function countFolder(server: Server, uri?: vscode.Uri): Promise<void> {
  const folder = uri ?? (await vscode.window.showWorkspaceFolderPick())?.uri;
  if (!folder) {
    return;
  }
  if (folder.scheme !== "file") {
    throw new Error(t("Only folders on this machine can be counted."));
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: t("Counting tokens in {0}", vscode.workspace.asRelativePath(folder)),
    cancellable: true,
  };
  const counted = await vscode.window.withProgress(options, (_, cancellation) =>
    count(server, folder.fsPath, cancellation),
  );
  if (counted) {
    await show(counted, folder);
  }
}

/** The command line's answer; undefined when the user has stopped it. */
async function count(
  server: Server,
  folder: string,
  cancellation: vscode.CancellationToken,
): Promise<FolderCount | undefined> {
  const { command, args } = await server.commandLine("count", "--json", folder);
  const child = spawn(command, args, spawnOptions());
  // As Ctrl+C does it, so that its workers end too.
  cancellation.onCancellationRequested(() => child.kill("SIGINT"));
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => errors.push(chunk));
  await new Promise((done, fail) => child.on("error", fail).on("close", done));
  if (cancellation.isCancellationRequested) {
    return undefined;
  }
  try {
    // A file that can't be read makes the exit code an error, but the others are counted.
    return JSON.parse(Buffer.concat(output).toString("utf8"));
  } catch {
    throw new Error(Buffer.concat(errors).toString("utf8").trim());
  }
}

async function show({ total, files }: FolderCount, folder: vscode.Uri): Promise<void> {
  const number = (value: number) => value.toLocaleString(vscode.env.language);
  const items = [...files]
    .sort((a, b) => b.tokens - a.tokens)
    .map((file) => ({
      label: vscode.workspace.asRelativePath(vscode.Uri.file(resolve(folder.fsPath, file.path))),
      description: `${counted(file, vscode.env.language)} · ${file.encoding}`,
      detail: file.format,
      file,
    }));
  const title = t("{0} tokens in {1} files", number(total), number(files.length));
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  if (chosen) {
    await vscode.window.showTextDocument(vscode.Uri.file(resolve(folder.fsPath, chosen.file.path)));
  }
}
