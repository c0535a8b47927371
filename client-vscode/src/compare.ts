// The comparison of encodings.
import * as vscode from "vscode";
import type { ComparisonRow } from "./contract";
import type { Server } from "./server";

/** Show what the active document, or its selection, costs under each encoding. */
export async function compareEncodings(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return;
  }
  const { start, end, isEmpty } = editor.selection;
  const uri = editor.document.uri.toString();
  const range = isEmpty ? [] : [{ start, end }];
  const { encoding, rows } = await server.execute("promptls.compareEncodings", uri, ...range);
  const title = vscode.l10n.t("Compare Encodings");
  await vscode.window.showQuickPick(
    rows.map((row) => item(row, encoding)),
    { title },
  );
}

function item(row: ComparisonRow, active: string): vscode.QuickPickItem {
  const number = (value: number) => value.toLocaleString(vscode.env.language);
  return {
    label: `${row.encoding === active ? "$(check) " : ""}${row.encoding}`,
    description: vscode.l10n.t("{0} tokens", number(row.tokens)),
    detail: vscode.l10n.t("{0} characters per token", number(row.characters_per_token)),
  };
}
