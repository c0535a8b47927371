// What a bug report needs to say.

import * as vscode from "vscode";
import { report } from "./launch";
import type { Server } from "./server";

/** Open a document with the versions, the server's health and every candidate that was tried. */
export async function showDebugInformation(
  server: Server,
  extension: vscode.Extension<unknown>,
): Promise<void> {
  if (!server.begun) {
    await server.begin();
  }
  const content = debugInformation(server, extension);
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(document);
}

function debugInformation(server: Server, extension: vscode.Extension<unknown>): string {
  const { health } = server;
  const version = health.state === "running" ? ` ${health.launch.version}` : "";
  const problem = health.state === "failed" ? `: ${health.message}` : "";
  const settings = vscode.workspace.getConfiguration().get("promptls");
  return [
    "# promptls",
    "",
    `- Extension: ${extension.packageJSON.version}`,
    `- VS Code: ${vscode.version} (${vscode.env.appName}, ${process.platform} ${process.arch})`,
    `- Workspace: ${vscode.workspace.isTrusted ? "trusted" : "not trusted"}`,
    `- Server: ${health.state}${version}${problem}`,
    "",
    "## Tried, in this order",
    "",
    report(server.attempts) || "Nothing yet.",
    "",
    "## Settings",
    "",
    "```json",
    JSON.stringify(settings, null, 2),
    "```",
    "",
  ].join("\n");
}
