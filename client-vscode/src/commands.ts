// The commands that need no view of their own.

import * as vscode from "vscode";
import type { Problem } from "./contract";
import { budget } from "./format";
import { t } from "./l10n";
import { selected } from "./ranges";
import { askScope } from "./scope";
import type { Server } from "./server";

/** Copy the ids of the editor's selection, or of its whole document, as a JSON array. */
export async function copyTokenIds(
  server: Server,
  editor: vscode.TextEditor | undefined,
): Promise<void> {
  assertOpen(editor);
  const uri = editor.document.uri.toString();
  const { tokens } = await server.execute("promptls.tokens", uri, selected(editor.selection));
  await vscode.env.clipboard.writeText(JSON.stringify(tokens.map(({ id }) => id)));
  const message = t("Copied {0} token ids", tokens.length);
  vscode.window.setStatusBarMessage(`$(check) ${message}`, 3000);
}

/** Ask for a budget and keep it in the settings; nothing entered means none. */
export async function setBudget(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("promptls");
  const current = settings.get<number | object | null>("budget");
  if (current && typeof current === "object") {
    // Budgets for file patterns are a table, which one number would replace.
    await vscode.commands.executeCommand("workbench.action.openSettings", "promptls.budget");
    return;
  }
  const text = await vscode.window.showInputBox({
    title: t("Set Budget"),
    prompt: t("The most tokens that a prompt may have, such as 4000, 128k or 1M. Empty: none."),
    value: current ? String(current) : "",
    validateInput: (value) =>
      budget(value) === undefined ? t("Enter a number, such as 4000, 128k or 1M.") : undefined,
  });
  const tokens = text === undefined ? undefined : budget(text);
  if (tokens === undefined) {
    return;
  }
  const target = await askScope(t("Set Budget"));
  if (target !== undefined) {
    await settings.update("budget", tokens ?? undefined, target);
  }
}

/** Ask what the hints at the lines' ends shall count. */
export async function selectHints(): Promise<void> {
  const modes = [
    { label: t("Tokens of each line"), mode: "line" },
    { label: t("Tokens of all lines so far"), mode: "cumulative" },
    { label: t("Tokens of each message"), mode: "message" },
    { label: t("No hints"), mode: "off" },
  ];
  const title = t("Select Hints");
  const chosen = await vscode.window.showQuickPick(modes, { title });
  const target = chosen && (await askScope(title));
  if (target !== undefined) {
    const settings = vscode.workspace.getConfiguration("promptls");
    await settings.update("hints.mode", chosen?.mode, target);
  }
}

export async function fixAll(): Promise<void> {
  assertOpen(vscode.window.activeTextEditor);
  const kind = "source.fixAll.promptls";
  await vscode.commands.executeCommand("editor.action.sourceAction", { kind, apply: "first" });
}

type Entry = [icon: string, label: string, command: string, ...args: unknown[]];

/** What the status bar item opens: the commands for the prompt that is being written. */
export async function showMenu(server: Server, problem: Problem | undefined): Promise<void> {
  const entries: Entry[] = server.running ? [...remedies(problem), ...menu()] : lifelines();
  const items = entries.map(([icon, label, command, ...args]) => ({
    label: `$(${icon}) ${label}`,
    command,
    args,
  }));
  const placeHolder =
    problem?.message ?? (server.health.state === "failed" ? server.health.message : "");
  const chosen = await vscode.window.showQuickPick(items, { title: "promptls", placeHolder });
  if (chosen) {
    await vscode.commands.executeCommand(chosen.command, ...chosen.args);
  }
}

function menu(): Entry[] {
  return [
    ["symbol-numeric", t("Select Encoding or Model"), "promptls.selectEncoding"],
    ["eye", t("Select Hints"), "promptls.selectHints"],
    ["dashboard", t("Set Budget"), "promptls.setBudget"],
    ["graph", t("Compare Encodings"), "promptls.compare"],
    ["inspect", t("Inspect Tokens"), "promptls.inspectTokens"],
    ["symbol-color", t("Toggle Token Colours"), "promptls.toggleTokenColours"],
    ["copy", t("Copy Token Ids"), "promptls.copyTokenIds"],
    ["lightbulb", t("Fix All"), "promptls.fixAll"],
    ["gear", t("Open Settings"), "promptls.openSettings"],
  ];
}

/** Where what keeps a document from being counted can be changed, besides choosing an encoding. */
function remedies(problem: Problem | undefined): Entry[] {
  if (!problem) {
    return [];
  }
  const setting = `promptls.${problem.setting.split(".")[0]}`;
  const source: Entry = problem.source
    ? ["go-to-file", t("Open the Settings File"), "vscode.open", vscode.Uri.parse(problem.source)]
    : ["gear", t("Open the Setting"), "workbench.action.openSettings", setting];
  const manage = t("Manage Workspace Trust");
  const trust: Entry = ["workspace-untrusted", manage, "workbench.trust.manage"];
  return problem.needs_trust ? [trust, source] : [source];
}

function lifelines(): Entry[] {
  return [
    ["debug-restart", t("Restart"), "promptls.restart"],
    ["output", t("Show Logs"), "promptls.showLogs"],
    ["gear", t("Open Settings"), "promptls.openSettings"],
  ];
}

export async function openSettings(extension: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", `@ext:${extension}`);
}

function assertOpen(editor: vscode.TextEditor | undefined): asserts editor {
  if (!editor) {
    throw new Error(t("Open a prompt first."));
  }
}
