// Quick fixes that change a settings file, which takes effect once it is saved.

import * as vscode from "vscode";
import {
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type FileEvent,
  type LanguageClientOptions,
} from "vscode-languageclient/node";
import type { Server } from "./server";

/** Not in the manifest: only quick fixes call it. */
const SAVE = "promptls.saveChanged";

type Middleware = Required<NonNullable<LanguageClientOptions["middleware"]>>;

/** Has what a fix changes in other files saved; VS Code leaves it in an editor, unsaved. */
export const provideCodeActions: Middleware["provideCodeActions"] = async (
  document,
  range,
  context,
  token,
  next,
) => {
  const actions = await next(document, range, context, token);
  for (const action of actions ?? []) {
    const others = changed(action).filter((uri) => uri.toString() !== document.uri.toString());
    // What the user has changed there and not saved yet is not ours to save.
    if (action instanceof vscode.CodeAction && others.length > 0 && !others.some(isDirty)) {
      action.command ??= { title: action.title, command: SAVE, arguments: [others] };
    }
  }
  return actions;
};

export function registerSave(server: Server): vscode.Disposable {
  return vscode.commands.registerCommand(SAVE, async (uris: readonly vscode.Uri[]) => {
    for (const uri of uris) {
      await (await vscode.workspace.openTextDocument(uri)).save();
    }
    // What watches files may be late, or not there at all; the finding shall go at once.
    const changes: FileEvent[] = uris.map((uri) => ({
      uri: uri.toString(),
      type: FileChangeType.Changed,
    }));
    await server.connection?.sendNotification(DidChangeWatchedFilesNotification.type, { changes });
  });
}

function changed(action: vscode.CodeAction | vscode.Command): vscode.Uri[] {
  return action instanceof vscode.CodeAction
    ? (action.edit?.entries().map(([uri]) => uri) ?? [])
    : [];
}

function isDirty(uri: vscode.Uri): boolean {
  const { textDocuments } = vscode.workspace;
  return textDocuments.some((each) => each.isDirty && each.uri.toString() === uri.toString());
}
