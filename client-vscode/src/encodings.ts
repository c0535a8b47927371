// The choice of an encoding or a model.

import * as vscode from "vscode";
import type { Encodings } from "./contract";
import { t } from "./l10n";
import { scopes } from "./scope";
import type { Server } from "./server";
import type { Statuses } from "./status";

interface EncodingItem extends vscode.QuickPickItem {
  /** Null means what the settings say; separators have none. */
  readonly value?: string | null;
  readonly setting?: "encoding" | "model";
}

type Holder = vscode.ConfigurationTarget | "document";

/** Ask for an encoding or a model, and for what it shall hold. */
export async function selectEncoding(server: Server, statuses: Statuses): Promise<void> {
  const { encodings } = await server.execute("promptls.encodings");
  const uri = vscode.window.activeTextEditor?.document.uri;
  const choices = items(encodings, statuses.get(uri)?.encoding);
  const chosen = await vscode.window.showQuickPick(choices, {
    title: t("Select Encoding or Model"),
    placeHolder: t("The tokens of this encoding or model are counted"),
    matchOnDescription: true,
  });
  if (chosen?.value === null) {
    await server.execute("promptls.setEncoding", uri?.toString() ?? null, null);
  }
  if (!chosen?.value || !chosen.setting) {
    return;
  }
  const holder = await askHolder(chosen.value);
  if (holder === "document" && uri) {
    await server.execute("promptls.setEncoding", uri.toString(), chosen.value);
  } else if (typeof holder === "number") {
    await save(chosen.setting, chosen.value, holder);
  }
}

function items(encodings: Encodings["encodings"], current: string | undefined): EncodingItem[] {
  const kind = vscode.QuickPickItemKind.Separator;
  return [
    { label: t("What the settings say"), value: null },
    { label: t("Encodings"), kind },
    ...encodings.map(
      ({ name, vocabulary_size }): EncodingItem => ({
        label: name,
        description: name === current ? t("current") : size(vocabulary_size),
        value: name,
        setting: "encoding",
      }),
    ),
    { label: t("Models"), kind },
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

function size(vocabulary: number | undefined): string {
  return vocabulary ? t("{0} tokens", vocabulary.toLocaleString(vscode.env.language)) : "";
}

async function askHolder(name: string): Promise<Holder | undefined> {
  const { window } = vscode;
  const document = {
    label: t("This document, until it is closed"),
    target: "document" as const,
  };
  const choices = [...(window.activeTextEditor ? [document] : []), ...scopes()];
  return (await window.showQuickPick(choices, { title: t("Use {0} for", name) }))?.target;
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
