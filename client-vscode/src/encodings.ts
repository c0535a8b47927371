// The choice of an encoding or a model.

import * as vscode from "vscode";
import type { Encodings } from "./contract";
import { t } from "./l10n";
import { scopes } from "./scope";
import type { Server } from "./server";
import type { Statuses } from "./statuses";

type Setting = "encoding" | "model";

interface EncodingItem extends vscode.QuickPickItem {
  /** Null means what the settings say; separators have none. */
  readonly value?: string | null;
  readonly setting?: Setting;
}

type Holder = vscode.ConfigurationTarget | "document";

/** The encodings that were chosen for single documents; the server forgets them when it ends. */
export class EncodingChoices implements vscode.Disposable {
  private readonly chosen = new Map<string, string>();
  private readonly disposable: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly statuses: Statuses,
  ) {
    this.disposable = vscode.Disposable.from(
      server.onHealth(({ state }) => state === "running" && this.repeat()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.chosen.delete(uri.toString())),
    );
  }

  /** Ask for an encoding or a model, and for what it shall hold; the editor's document may. */
  async ask(editor: vscode.TextEditor | undefined): Promise<void> {
    const { encodings } = await this.server.execute("promptls.encodings");
    const uri = editor?.document.uri;
    const choices = items(encodings, this.statuses.get(uri)?.encoding);
    const item = await vscode.window.showQuickPick(choices, {
      title: t("Select Encoding or Model"),
      placeHolder: t("The tokens of this encoding or model are counted"),
      matchOnDescription: true,
    });
    if (item?.value === null && uri) {
      await this.use(uri, null);
    } else if (item?.value && item.setting) {
      await this.hold(uri, item.setting, item.value);
    }
  }

  /** Count a document with another encoding until it is closed; null: with that of the settings. */
  async use(uri: vscode.Uri, name: string | null): Promise<void> {
    await this.server.execute("promptls.setEncoding", uri.toString(), name);
    if (name) {
      this.chosen.set(uri.toString(), name);
    } else {
      this.chosen.delete(uri.toString());
    }
  }

  private async hold(uri: vscode.Uri | undefined, setting: Setting, value: string): Promise<void> {
    const holder = await askHolder(value, uri);
    if (holder === "document" && uri) {
      await this.use(uri, value);
    } else if (typeof holder === "number") {
      await save(setting, value, holder);
      if (uri && this.chosen.has(uri.toString())) {
        await this.use(uri, null);
      }
    }
  }

  private repeat(): void {
    for (const [uri, name] of this.chosen) {
      void this.server.execute("promptls.setEncoding", uri, name);
    }
  }

  dispose(): void {
    this.disposable.dispose();
  }
}

function items(encodings: Encodings["encodings"], current: string | undefined): EncodingItem[] {
  const kind = vscode.QuickPickItemKind.Separator;
  const item = (setting: Setting, value: string, description: string): EncodingItem => ({
    label: value,
    description,
    value,
    setting,
  });
  return [
    { label: t("What the settings say"), value: null },
    { label: t("Encodings"), kind },
    ...encodings.map(({ name, vocabulary_size }) =>
      item("encoding", name, name === current ? t("current") : size(vocabulary_size)),
    ),
    { label: t("Models"), kind },
    ...encodings.flatMap(({ name, models }) => models.map((model) => item("model", model, name))),
  ];
}

function size(vocabulary: number | null): string {
  return vocabulary ? t("{0} tokens", vocabulary.toLocaleString(vscode.env.language)) : "";
}

async function askHolder(name: string, uri: vscode.Uri | undefined): Promise<Holder | undefined> {
  const document = { label: t("This document, until it is closed"), target: "document" as const };
  const choices = [...(uri ? [document] : []), ...scopes()];
  return (await vscode.window.showQuickPick(choices, { title: t("Use {0} for", name) }))?.target;
}

/** An encoding and a model exclude each other, so the other one is removed from the same place. */
async function save(
  setting: Setting,
  value: string,
  target: vscode.ConfigurationTarget,
): Promise<void> {
  const settings = vscode.workspace.getConfiguration("promptls");
  await settings.update(setting, value, target);
  await settings.update(setting === "model" ? "encoding" : "model", undefined, target);
}
