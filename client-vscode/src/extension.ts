// The extension: it starts the server and shows what LSP cannot.
import * as vscode from "vscode";
import { onInterpreterSelected } from "./candidates";
import { compareEncodings } from "./compare";
import { showDebugInformation } from "./debug";
import { selectEncoding } from "./encodings";
import { reason } from "./launch";
import { Server } from "./server";
import { registerStatus } from "./status";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("promptls", { log: true });
  const running = new Server(context.globalStorageUri, log, undefined, {});
  server = running;
  context.subscriptions.push(log, ...registerStatus(running));

  const command = (name: string, action: () => unknown) =>
    context.subscriptions.push(
      vscode.commands.registerCommand(`promptls.${name}`, () => attempt(action, log)),
    );
  command("compare", () => compareEncodings(running));
  command("selectEncoding", () => selectEncoding(running));
  command("restart", () => running.restartFresh());
  command("showLogs", () => log.show());
  command("showDebugInformation", () => showDebugInformation(running, context.extension));

  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.restartFresh()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (
        ["promptls.server", "promptls.interpreter"].some((name) => event.affectsConfiguration(name))
      ) {
        void running.restartFresh();
      }
    }),
  );
  void onInterpreterSelected(() => void running.restartFresh()).then((listener) =>
    context.subscriptions.push(listener),
  );
  void running.restart();
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}

/** Runs a command; what goes wrong is said once, with the way to the logs. */
async function attempt(action: () => unknown, log: vscode.LogOutputChannel): Promise<void> {
  try {
    await action();
  } catch (error) {
    log.error(reason(error));
    const logs = vscode.l10n.t("Show Logs");
    if ((await vscode.window.showErrorMessage(`promptls: ${reason(error)}`, logs)) === logs) {
      log.show();
    }
  }
}
