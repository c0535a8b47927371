// The extension: it starts the server and shows what LSP cannot.

import * as vscode from "vscode";
import { bundledServer } from "./bundled";
import { onInterpreterSelected } from "./candidates";
import * as commands from "./commands";
import { ComparisonView } from "./compare";
import { showDebugInformation } from "./debug";
import { isPrompt } from "./documents";
import { EncodingChoices } from "./encodings";
import { countFolder } from "./folder";
import { LineHints } from "./hints";
import { Inspector } from "./inspector";
import { t, translateWith } from "./l10n";
import { reason } from "./launch";
import { LAUNCH_SETTINGS, middleware } from "./middleware";
import { run } from "./process";
import { provideCodeActions, registerSave } from "./quickFixes";
import { Server } from "./server";
import { registerStatus } from "./status";
import { Statuses } from "./statuses";
import { TokenColours } from "./tokenColours";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  translateWith(vscode.l10n.t);
  const log = vscode.window.createOutputChannel("promptls", { log: true });
  const storage = context.globalStorageUri.fsPath;
  const install = bundledServer(context.extensionPath, storage, run, whileSettingUp);
  const hints = new LineHints();
  const around = { ...middleware, ...hints.middleware, provideCodeActions };
  server = new Server(storage, log, install, around);
  hints.follow(server);
  const statuses = new Statuses(server);
  const encodings = new EncodingChoices(server, statuses);
  const comparison = new ComparisonView(server, encodings, context.extensionUri);
  const inspector = new Inspector(server, statuses, context.extensionUri);
  const colours = new TokenColours(server, context.workspaceState);
  context.subscriptions.push(log, hints, statuses, encodings, comparison, inspector, colours);
  context.subscriptions.push(...registerStatus(server, statuses, inspector), registerSave(server));
  registerCommands(context, server, log, { statuses, encodings, comparison, inspector, colours });
  registerRestarts(context, server);
  beginWithPrompt(context, server);
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}

function registerCommands(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
  views: {
    statuses: Statuses;
    encodings: EncodingChoices;
    comparison: ComparisonView;
    inspector: Inspector;
    colours: TokenColours;
  },
): void {
  const command = (name: string, action: (uri?: vscode.Uri) => unknown) =>
    context.subscriptions.push(
      vscode.commands.registerCommand(`promptls.${name}`, (uri?: vscode.Uri) =>
        attempt(() => action(uri), log),
      ),
    );
  command("compare", (uri) => views.comparison.show(uri));
  command("copyComparison", () => views.comparison.copy());
  command("inspectTokens", () => views.inspector.open());
  command("toggleTokenColours", () => views.colours.toggle());
  command("selectEncoding", () => views.encodings.ask(views.inspector.currentEditor));
  command("selectHints", () => commands.selectHints());
  command("setBudget", () => commands.setBudget());
  command("copyTokenIds", () => commands.copyTokenIds(server, views.inspector.currentEditor));
  command("countFolder", (uri) => countFolder(server, uri));
  command("fixAll", () => commands.fixAll());
  command("menu", () => {
    const uri = views.inspector.currentEditor?.document.uri;
    return commands.showMenu(server, views.statuses.problem(uri));
  });
  command("openSettings", () => commands.openSettings(context.extension.id));
  command("restart", () => server.restartFresh());
  command("showLogs", () => log.show());
  command("showDebugInformation", () => showDebugInformation(server, context.extension));
}

/** VS Code activates the extension for hidden documents too, which aren't worth a server. */
function beginWithPrompt(context: vscode.ExtensionContext, server: Server): void {
  const begin = (document: vscode.TextDocument) => {
    if (isPrompt(document)) {
      void server.begin();
    }
  };
  vscode.workspace.textDocuments.forEach(begin);
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(begin));
}

/** What changes how the server is started starts it again. */
function registerRestarts(context: vscode.ExtensionContext, server: Server): void {
  const restart = () => {
    if (server.begun) {
      void server.restartFresh();
    }
  };
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (LAUNCH_SETTINGS.some((name) => event.affectsConfiguration(`promptls.${name}`))) {
        restart();
      }
    }),
  );
  void onInterpreterSelected(() => void server.reconsider()).then((listener) =>
    context.subscriptions.push(listener),
  );
}

function whileSettingUp<T>(work: () => Promise<T>): Promise<T> {
  const title = t("Setting up the promptls server (once)");
  const options = { location: vscode.ProgressLocation.Notification, title };
  return Promise.resolve(vscode.window.withProgress(options, work));
}

/** Runs a command; what goes wrong is said once, with the way to the logs. */
async function attempt(action: () => unknown, log: vscode.LogOutputChannel): Promise<void> {
  try {
    await action();
  } catch (error) {
    log.error(reason(error));
    const logs = t("Show Logs");
    if ((await vscode.window.showErrorMessage(`promptls: ${reason(error)}`, logs)) === logs) {
      log.show();
    }
  }
}
