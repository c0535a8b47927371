// Where a setting shall be kept.
import * as vscode from "vscode";

/** Ask for the workspace or the user's settings; there is nothing to ask without a workspace. */
export async function askScope(title: string): Promise<vscode.ConfigurationTarget | undefined> {
  return vscode.workspace.workspaceFolders
    ? (await vscode.window.showQuickPick(scopes(), { title }))?.target
    : vscode.ConfigurationTarget.Global;
}

/** The places for settings that there are, from the narrowest. */
export function scopes(): (vscode.QuickPickItem & { target: vscode.ConfigurationTarget })[] {
  const { ConfigurationTarget, l10n, workspace } = vscode;
  const everywhere = { label: l10n.t("Everywhere"), target: ConfigurationTarget.Global };
  return workspace.workspaceFolders
    ? [{ label: l10n.t("This workspace"), target: ConfigurationTarget.Workspace }, everywhere]
    : [everywhere];
}
