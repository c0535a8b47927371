// The total in the status bar, and the server's health in the language status.

import * as vscode from "vscode";
import type { Status } from "./contract";
import { SELECTOR } from "./documents";
import { count, pressure, share, statusText } from "./format";
import type { Inspector } from "./inspector";
import { t } from "./l10n";
import { plain } from "./ranges";
import type { Server } from "./server";

const SELECTION_DELAY = 120;

/** The latest status of each open document. */
export class Statuses implements vscode.Disposable {
  private readonly statuses = new Map<string, Status>();
  private readonly disposable: vscode.Disposable;

  constructor(server: Server) {
    this.disposable = vscode.Disposable.from(
      server.onStatus((status) =>
        status.state === "done"
          ? this.statuses.set(status.uri, status)
          : this.statuses.delete(status.uri),
      ),
      server.onHealth(({ state }) => state !== "running" && this.statuses.clear()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.statuses.delete(uri.toString())),
    );
  }

  get(uri: vscode.Uri | undefined): Status | undefined {
    return uri && this.statuses.get(uri.toString());
  }

  dispose(): void {
    this.disposable.dispose();
  }
}

/** Show the total of the document that is written or inspected. */
export function registerStatus(
  server: Server,
  statuses: Statuses,
  inspector: Inspector,
): vscode.Disposable[] {
  const item = vscode.window.createStatusBarItem("total", vscode.StatusBarAlignment.Right, 101);
  item.name = "promptls";
  item.command = "promptls.menu";
  let selected: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const show = () => {
    const status = statuses.get(inspector.currentEditor?.document.uri);
    if (status) {
      display(item, status, selected);
    } else {
      item.hide();
    }
  };

  const countSelection = async () => {
    const editor = inspector.currentEditor;
    const count = editor && (await selectionTokens(server, editor));
    if (editor === inspector.currentEditor) {
      selected = count;
      show();
    }
  };

  const switchEditor = () => {
    selected = undefined;
    recountSelection();
    show();
  };

  const recountSelection = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void countSelection(), SELECTION_DELAY);
  };

  return [
    item,
    health(server),
    server.onHealth(show),
    server.onStatus(({ uri }) => {
      if (uri === inspector.currentEditor?.document.uri.toString()) {
        recountSelection();
        show();
      }
    }),
    inspector.onFocus(switchEditor),
    vscode.window.onDidChangeActiveTextEditor(switchEditor),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === inspector.currentEditor) {
        recountSelection();
      }
    }),
    { dispose: () => clearTimeout(timer) },
  ];
}

/** The tokens in all selections together; undefined when nothing is selected. */
async function selectionTokens(
  server: Server,
  editor: vscode.TextEditor,
): Promise<number | undefined> {
  const ranges = editor.selections.filter(({ isEmpty }) => !isEmpty);
  if (ranges.length === 0 || !server.running) {
    return undefined;
  }
  try {
    const uri = editor.document.uri.toString();
    const counts = await server.execute("promptls.countTokens", uri, ranges.map(plain));
    return counts.ranges.reduce((sum, { tokens }) => sum + tokens, 0);
  } catch {
    // The document isn't a prompt, or the server has just gone: there is nothing to show.
    return undefined;
  }
}

function display(item: vscode.StatusBarItem, status: Status, selected: number | undefined): void {
  item.text = statusText(status, selected, vscode.env.language);
  item.tooltip = tooltip(status);
  const level = pressure(status);
  const colour = { none: undefined, near: "warning", over: "error" }[level];
  item.backgroundColor = colour && new vscode.ThemeColor(`statusBarItem.${colour}Background`);
  item.show();
}

function tooltip(status: Status): vscode.MarkdownString {
  const number = (value: number) => value.toLocaleString(vscode.env.language);
  const rows: [string, string][] = [
    [t("Tokens"), count(status.tokens, status.exact, vscode.env.language)],
    [t("Encoding"), status.encoding],
    [t("Format"), status.format],
    [t("Messages"), number(status.messages)],
    [t("Placeholders"), number(status.placeholders)],
    [t("Lines"), number(status.lines)],
    [t("Characters"), number(status.characters)],
  ];
  if (status.budget) {
    const used = share(status.tokens, status.budget);
    rows.push([t("Budget"), `${number(status.budget)} (${used})`]);
  }
  const markdown = new vscode.MarkdownString("| | |\n|:--|--:|\n");
  for (const [name, value] of rows) {
    markdown.appendMarkdown("| ").appendText(name).appendMarkdown(" | ");
    markdown.appendText(value).appendMarkdown(" |\n");
  }
  return markdown;
}

function health(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem("promptls.server", SELECTOR);
  item.name = "promptls";
  const show = () => {
    const { health } = server;
    item.busy = health.state === "starting";
    item.severity =
      vscode.LanguageStatusSeverity[health.state === "failed" ? "Error" : "Information"];
    item.text = healthText(server);
    item.detail = health.state === "running" ? health.launch.source : "";
    item.command =
      health.state === "running"
        ? { command: "promptls.showLogs", title: t("Show Logs") }
        : { command: "promptls.restart", title: t("Restart") };
  };
  show();
  return vscode.Disposable.from(item, server.onHealth(show));
}

function healthText({ health }: Server): string {
  switch (health.state) {
    case "running":
      return `promptls ${health.launch.version}`;
    case "starting":
      return t("promptls is starting");
    case "failed":
      return t("promptls can't be started");
    case "stopped":
      return t("promptls is stopped");
  }
}
