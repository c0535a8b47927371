// The comparison of encodings, as a view in the panel that follows the active editor.
//
// It is a webview because VS Code has no native table: a tree can't be sorted by column, and bars
// made of block characters are read aloud one by one. The page is one plain HTML table, with real
// header cells and buttons; its toolbar is VS Code's own.

import * as vscode from "vscode";
import {
  COLUMNS,
  type Column,
  type ComparisonAction,
  type ComparisonPage,
  markdown,
  type Order,
  pressed,
  table,
} from "./comparison";
import type { Comparison } from "./contract";
import { isPrompt } from "./documents";
import type { EncodingChoices } from "./encodings";
import { t } from "./l10n";
import { reason } from "./launch";
import { page } from "./page";
import { coalesced } from "./queue";
import { selected } from "./ranges";
import type { Server } from "./server";

const DELAY = 200;

export class ComparisonView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly id = "promptls.comparison";

  private view: vscode.WebviewView | undefined;
  private editor: vscode.TextEditor | undefined;
  private comparison: Comparison | undefined;
  private isOfSelection = false;
  private caption = "";
  private order: Order = { column: "tokens", descending: false };
  private timer: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly encodings: EncodingChoices,
    private readonly extension: vscode.Uri,
  ) {
    const later = () => this.later();
    this.disposables = [
      vscode.window.registerWebviewViewProvider(ComparisonView.id, this),
      server.onHealth(later),
      server.onStatus(({ uri }) => {
        if (uri === this.editor?.document.uri.toString()) {
          later();
        }
      }),
      vscode.window.onDidChangeActiveTextEditor(later),
      vscode.window.onDidChangeTextEditorSelection(({ selections: [selection] }) => {
        if (this.isOfSelection || !selection?.isEmpty) {
          later();
        }
      }),
    ];
  }

  /** Show the view, for the file at `uri` when it is called from the explorer. */
  async show(uri?: vscode.Uri): Promise<void> {
    if (uri) {
      await vscode.window.showTextDocument(uri, { preview: true });
    }
    await vscode.commands.executeCommand("setContext", "promptls.comparing", true);
    await vscode.commands.executeCommand(`${ComparisonView.id}.focus`);
    await this.refresh();
  }

  async copy(): Promise<void> {
    if (this.comparison) {
      const rows = table(this.comparison, this.order, vscode.env.language);
      await vscode.env.clipboard.writeText(markdown(headers(), rows));
    }
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.onDidReceiveMessage((action: ComparisonAction) => this.act(action));
    view.onDidChangeVisibility(() => this.later());
    view.onDidDispose(() => {
      this.view = undefined;
    });
    page(view.webview, this.extension, "compare");
  }

  private async act(action: ComparisonAction): Promise<void> {
    if (action.kind === "order") {
      this.order = pressed(this.order, COLUMNS[action.column] as Column);
      this.render();
    } else if (action.kind === "use" && this.editor) {
      await this.encodings.use(this.editor.document.uri, action.encoding);
    } else {
      await this.refresh();
    }
  }

  private later(): void {
    clearTimeout(this.timer);
    if (this.view?.visible) {
      this.timer = setTimeout(() => void this.refresh(), DELAY);
    }
  }

  /** One comparison at a time: of a large document, each takes longer than the next edit. */
  private readonly refresh = coalesced(async () => {
    // Without an active editor the focus is in the view itself, which goes on showing its document.
    this.editor = vscode.window.activeTextEditor ?? this.editor;
    const { editor } = this;
    if (!editor || !isPrompt(editor.document)) {
      this.comparison = undefined;
      this.caption = t("Open a prompt to compare encodings.");
    } else {
      await this.compare(editor);
    }
    this.render();
  });

  private async compare({ document, selection }: vscode.TextEditor): Promise<void> {
    const name = vscode.workspace.asRelativePath(document.uri);
    this.isOfSelection = !selection.isEmpty;
    try {
      const uri = document.uri.toString();
      this.comparison = await this.server.execute(
        "promptls.compareEncodings",
        uri,
        selected(selection),
      );
      this.caption = selection.isEmpty ? name : t("Selection in {0}", name);
    } catch (error) {
      this.comparison = undefined;
      this.caption = reason(error);
    }
  }

  private render(): void {
    const { column, descending } = this.order;
    const message: ComparisonPage = {
      caption: this.caption,
      headers: headers(),
      order: { column: COLUMNS.indexOf(column), descending },
      rows: this.comparison ? table(this.comparison, this.order, vscode.env.language) : [],
    };
    void this.view?.webview.postMessage(message);
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.disposables).dispose();
  }
}

function headers(): string[] {
  return [
    t("Encoding"),
    t("Tokens"),
    t("Difference"),
    t("Characters per token"),
    t("Bytes per token"),
    t("Tokens per word"),
  ];
}
