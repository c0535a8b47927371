// The total in the status bar, and what keeps it away; the server's health in the language status.

import * as vscode from "vscode";
import type { NoCounts, Problem, Status, StatusNotification } from "./contract";
import { isPrompt, SELECTOR } from "./documents";
import { amount, fullAmount, most, pressure, share, spread, statusText, sum } from "./format";
import type { Inspector } from "./inspector";
import { t } from "./l10n";
import { plain } from "./ranges";
import type { Health, Server } from "./server";
import type { Statuses } from "./statuses";

type Amount = ReturnType<typeof sum>;

const SELECTION_DELAY = 120;
/** How long the total of the text before an edit may stay, in ms. */
const PATIENCE = 300;

/** Show the total of the document that is written or inspected. */
export function registerStatus(
  server: Server,
  statuses: Statuses,
  inspector: Inspector,
): vscode.Disposable[] {
  const item = vscode.window.createStatusBarItem("total", vscode.StatusBarAlignment.Right, 101);
  item.name = "promptls";
  item.command = "promptls.menu";
  let selected: Amount | undefined;
  let timer: NodeJS.Timeout | undefined;
  let overdue: NodeJS.Timeout | undefined;

  const show = () => {
    const document = inspector.currentEditor?.document;
    const status = statuses.said(document?.uri);
    if (document && isPrompt(document) && !server.running) {
      displayHealth(item, server);
    } else if (status?.state === "done") {
      display(item, status, selected);
    } else if (status) {
      displayMissing(item, status);
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

  const isConfirmed = () => {
    clearTimeout(overdue);
    overdue = undefined;
  };

  const switchEditor = () => {
    isConfirmed();
    selected = undefined;
    recountSelection();
    show();
  };

  const recountSelection = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void countSelection(), SELECTION_DELAY);
  };

  /** While one types, the last total stays for a moment: the next one comes as fast as a key. */
  const outdate = ({ document }: vscode.TextDocumentChangeEvent) => {
    if (document === inspector.currentEditor?.document && statuses.get(document.uri)) {
      overdue ??= setTimeout(() => displayWaiting(item), PATIENCE);
    }
  };

  const receive = ({ uri, version }: StatusNotification) => {
    const document = inspector.currentEditor?.document;
    if (uri === document?.uri.toString()) {
      if (version === document?.version) {
        isConfirmed();
      }
      recountSelection();
      show();
    }
  };

  return [
    item,
    health(server, statuses),
    server.onHealth(show),
    server.onStatus(receive),
    inspector.onFocus(switchEditor),
    vscode.window.onDidChangeActiveTextEditor(switchEditor),
    vscode.workspace.onDidChangeTextDocument(outdate),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === inspector.currentEditor) {
        recountSelection();
      }
    }),
    {
      dispose: () => {
        clearTimeout(timer);
        clearTimeout(overdue);
      },
    },
  ];
}

/** The tokens in all selections together; undefined when nothing is selected. */
async function selectionTokens(
  server: Server,
  editor: vscode.TextEditor,
): Promise<Amount | undefined> {
  const ranges = editor.selections.filter(({ isEmpty }) => !isEmpty);
  if (ranges.length === 0 || !server.running) {
    return undefined;
  }
  try {
    const uri = editor.document.uri.toString();
    return sum((await server.execute("promptls.countTokens", uri, ranges.map(plain))).ranges);
  } catch {
    // The document isn't a prompt, or the server has just gone: there is nothing to show.
    return undefined;
  }
}

function display(item: vscode.StatusBarItem, status: Status, selected: Amount | undefined): void {
  const text = statusText(status, selected, vscode.env.language);
  const level = ({ none: undefined, near: "warning", over: "error" } as const)[pressure(status)];
  set(item, "", text, table(status), level);
}

/** An item without a number: one that isn't known is not replaced by one that was. */
function displayMissing(item: vscode.StatusBarItem, { problem }: NoCounts): void {
  if (problem) {
    set(item, "$(warning) ", t("No token count"), plainText(problem.message), "warning");
  } else {
    displayWaiting(item);
  }
}

function displayWaiting(item: vscode.StatusBarItem): void {
  set(item, "$(loading~spin) ", t("Counting tokens"));
}

function displayHealth(item: vscode.StatusBarItem, { health }: Server): void {
  if (health.state === "failed") {
    set(item, "$(error) ", health.summary, plainText(health.message), "error");
  } else if (health.state === "starting") {
    set(item, "$(loading~spin) ", t("promptls is starting"));
  } else {
    item.hide();
  }
}

function set(
  item: vscode.StatusBarItem,
  icon: string,
  text: string,
  tooltip?: vscode.MarkdownString,
  level?: "warning" | "error",
): void {
  item.text = icon + text;
  item.tooltip = tooltip;
  // Without it, a screen reader would read the tooltip, a table in Markdown, as it is written.
  item.accessibilityInformation = { label: `promptls: ${text}`, role: "button" };
  item.backgroundColor = level && new vscode.ThemeColor(`statusBarItem.${level}Background`);
  item.show();
}

function plainText(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text);
}

function table(status: Status): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString("| | |\n|:--|--:|\n");
  for (const [name, value] of rows(status)) {
    markdown.appendMarkdown("| ").appendText(name).appendMarkdown(" | ");
    markdown.appendText(value).appendMarkdown(" |\n");
  }
  return markdown;
}

function* rows(status: Status): Generator<[string, string]> {
  const locale = vscode.env.language;
  const number = (value: number) => value.toLocaleString(locale);
  const { prompts, models, budget } = status;
  yield [t("Tokens"), fullAmount(status, locale)];
  if (prompts) {
    yield [t("Prompts"), number(prompts.count)];
    yield [t("Tokens of each prompt"), amount(spread(prompts), locale)];
  }
  if (status.uncounted.length > 0) {
    const uncounted = status.uncounted.map(({ what, count }) => `${number(count)} × ${what}`);
    yield [t("Not counted"), uncounted.join(", ")];
  }
  yield [t("Encoding"), status.encoding];
  if (models.length > 0) {
    yield [t("Model"), models.join(", ")];
  }
  yield [t("Chosen by"), origin(status.chosen_by)];
  if (status.exactness !== "exact") {
    yield [t("Exactness"), exactness(status)];
  }
  yield [t("Format"), status.format];
  yield [t("Messages"), number(status.messages)];
  yield [t("Placeholders"), number(status.placeholders)];
  yield [t("Lines"), number(status.lines)];
  yield [t("Characters"), number(status.characters)];
  if (budget) {
    yield [t("Budget"), `${number(budget)} (${share(most(status), budget)})`];
  }
}

function origin(chosenBy: Status["chosen_by"]): string {
  return {
    command: t("Select Encoding or Model"),
    settings: t("the settings"),
    file: t("the file itself"),
    default: t("nobody: the default"),
  }[chosenBy];
}

function exactness(status: Status): string {
  return status.exactness === "reconstructed"
    ? t("by a tokenizer that others have rebuilt")
    : status.bounded
      ? t("about, more combinations than can be listed")
      : t("about, by another model's tokenizer");
}

/** The server's health, and what keeps the active document from being counted. */
function health(server: Server, statuses: Statuses): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem("promptls.server", SELECTOR);
  item.name = "promptls";
  const show = () => {
    const problem = statuses.problem(vscode.window.activeTextEditor?.document.uri);
    const { health } = server;
    item.busy = health.state === "starting";
    const severity = health.state === "failed" ? "Error" : problem ? "Warning" : "Information";
    item.severity = vscode.LanguageStatusSeverity[severity];
    const [text, detail] = problem ? [t("No token count"), problem.message] : healthText(health);
    item.text = text;
    item.detail = detail;
    item.command = problem ? remedy(problem) : healthCommand(server);
  };
  show();
  return vscode.Disposable.from(
    item,
    server.onHealth(show),
    server.onStatus(show),
    vscode.window.onDidChangeActiveTextEditor(show),
  );
}

function healthCommand({ running }: Server): vscode.Command {
  return running
    ? { command: "promptls.showLogs", title: t("Show Logs") }
    : { command: "promptls.restart", title: t("Restart") };
}

function remedy({ needs_trust }: Problem): vscode.Command {
  return needs_trust
    ? { command: "workbench.trust.manage", title: t("Manage Workspace Trust") }
    : { command: "promptls.selectEncoding", title: t("Select Encoding or Model") };
}

/** What is the case, in short, and more about it. */
function healthText(health: Health): [string, string] {
  switch (health.state) {
    case "running":
      return [`promptls ${health.launch.version}`, health.launch.source];
    case "failed":
      return [health.summary, health.message];
    case "starting":
      return [t("promptls is starting"), ""];
    case "stopped":
      return [t("promptls is stopped"), ""];
  }
}
