// Where a setting shall be kept.

import * as vscode from "vscode";
import { t } from "./l10n";

/** Ask for the workspace or the user's settings; there is nothing to ask without a workspace. */
export async function askScope(title: string): Promise<vscode.ConfigurationTarget | undefined> {
  return vscode.workspace.workspaceFolders
    ? (await vscode.window.showQuickPick(scopes(), { title }))?.target
    : vscode.ConfigurationTarget.Global;
}

/** The places for settings that there are, from the narrowest. */
export function scopes(): (vscode.QuickPickItem & { target: vscode.ConfigurationTarget })[] {
  const { ConfigurationTarget, workspace } = vscode;
  const everywhere = { label: t("Everywhere"), target: ConfigurationTarget.Global };
  return workspace.workspaceFolders
    ? [{ label: t("This workspace"), target: ConfigurationTarget.Workspace }, everywhere]
    : [everywhere];
}
