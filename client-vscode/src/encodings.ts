// The choice of an encoding or a model.
import * as vscode from "vscode";
import type { Encodings } from "./contract";
import type { Server } from "./server";

interface EncodingItem extends vscode.QuickPickItem {
  readonly value?: string;
  readonly setting?: "encoding" | "model";
}

type Scope = vscode.ConfigurationTarget | "document";

/** Ask for an encoding or a model, and for what it shall hold. */
export async function selectEncoding(server: Server): Promise<void> {
  const { encodings } = await server.execute("promptls.encodings");
  const chosen = await vscode.window.showQuickPick(items(encodings), {
    title: vscode.l10n.t("Select Encoding or Model"),
    placeHolder: vscode.l10n.t("The tokens of this encoding or model are counted"),
    matchOnDescription: true,
  });
  if (!chosen?.value || !chosen.setting) {
    return;
  }
  const scope = await askScope(chosen.value);
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (scope === "document" && uri) {
    await server.execute("promptls.setEncoding", uri.toString(), chosen.value);
  } else if (typeof scope === "number") {
    await save(chosen.setting, chosen.value, scope);
  }
}

function items(encodings: Encodings["encodings"]): EncodingItem[] {
  const kind = vscode.QuickPickItemKind.Separator;
  return [
    { label: vscode.l10n.t("Encodings"), kind },
    ...encodings.map(
      ({ name, vocabulary_size }): EncodingItem => ({
        label: name,
        description: vscode.l10n.t(
          "{0} tokens",
          vocabulary_size.toLocaleString(vscode.env.language),
        ),
        value: name,
        setting: "encoding",
      }),
    ),
    { label: vscode.l10n.t("Models"), kind },
    ...encodings.flatMap(({ name, models }) =>
      models.map(
        (model): EncodingItem => ({
          label: model,
          description: name,
          value: model,
          setting: "model",
        }),
      ),
    ),
  ];
}

async function askScope(name: string): Promise<Scope | undefined> {
  const { l10n, ConfigurationTarget, window, workspace } = vscode;
  const choices: (vscode.QuickPickItem & { scope: Scope })[] = [];
  if (window.activeTextEditor) {
    choices.push({ label: l10n.t("This document, until it is closed"), scope: "document" });
  }
  if (workspace.workspaceFolders) {
    choices.push({ label: l10n.t("This workspace"), scope: ConfigurationTarget.Workspace });
  }
  choices.push({ label: l10n.t("Everywhere"), scope: ConfigurationTarget.Global });
  const title = l10n.t("Use {0} for", name);
  return (await window.showQuickPick(choices, { title }))?.scope;
}

/** An encoding and a model exclude each other, so the other one is removed from the same place. */
async function save(
  setting: "encoding" | "model",
  value: string,
  target: vscode.ConfigurationTarget,
): Promise<void> {
  const settings = vscode.workspace.getConfiguration("promptls");
  await settings.update(setting, value, target);
  await settings.update(setting === "model" ? "encoding" : "model", undefined, target);
}
