// The Token Inspector: a document as coloured tokens with their ids, beside the editor.

import * as vscode from "vscode";
import { isPrompt } from "./documents";
import { counted } from "./format";
import { BLOCK, type FromPage, inBlock, type ToPage } from "./inspection";
import { t } from "./l10n";
import { reason } from "./launch";
import { page } from "./page";
import { fromPlain, plain } from "./ranges";
import type { Server } from "./server";
import type { Statuses } from "./statuses";

export class Inspector implements vscode.Disposable {
  static readonly id = "promptls.inspector";

  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.TextDocument | undefined;
  private readonly focusChanged = new vscode.EventEmitter<void>();
  /** The panel has got the focus, or has lost it. */
  readonly onFocus = this.focusChanged.event;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly statuses: Statuses,
    private readonly extension: vscode.Uri,
  ) {
    this.disposables = [
      vscode.window.registerWebviewPanelSerializer(Inspector.id, {
        // After a window was reloaded, the panel is there before the extension is.
        deserializeWebviewPanel: async (panel) => {
          this.panel = this.adopt(panel);
          this.followVisible();
        },
      }),
      server.onHealth(() => this.renew()),
      server.onStatus(({ uri }) => {
        if (!this.document) {
          this.followVisible();
        } else if (uri === this.document.uri.toString()) {
          this.renew();
        }
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.follow(editor)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.select(textEditor)),
    ];
  }

  open(): void {
    this.panel ??= this.newPanel();
    this.panel.reveal(undefined, true);
    this.followVisible();
  }

  /** The active editor or, while the panel has the focus, that of the document it shows. */
  get currentEditor(): vscode.TextEditor | undefined {
    return vscode.window.activeTextEditor ?? (this.panel?.active ? this.editor() : undefined);
  }

  /** Follow the active editor, or one that can be seen when the panel itself is active. */
  private followVisible(): void {
    const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
    if (editor) {
      this.follow(editor);
    }
  }

  private newPanel(): vscode.WebviewPanel {
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const title = t("Token Inspector");
    return this.adopt(vscode.window.createWebviewPanel(Inspector.id, title, place));
  }

  private adopt(panel: vscode.WebviewPanel): vscode.WebviewPanel {
    panel.webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
    panel.onDidChangeViewState(() => this.focusChanged.fire());
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.focusChanged.fire();
    });
    page(panel.webview, this.extension, "inspector", {
      label: t("Tokens"),
      token: t("{0}, id {1}"),
      control: t("control token {0}, id {1}"),
    });
    return panel;
  }

  private follow(editor: vscode.TextEditor): void {
    if (this.panel && isPrompt(editor.document)) {
      this.document = editor.document;
      this.renew();
      this.select(editor);
    }
  }

  private async receive(message: FromPage): Promise<void> {
    if (message.kind === "block") {
      await this.sendBlock(message.index);
    } else if (message.kind === "select") {
      this.reveal(fromPlain(message.range));
    } else {
      this.renew();
      const editor = this.editor();
      if (editor) {
        this.select(editor);
      }
    }
  }

  /** Have the page ask anew for the blocks that can be seen. */
  private renew(): void {
    const { document } = this;
    if (this.panel && document) {
      const blocks = Math.ceil(document.lineCount / BLOCK);
      const title = this.title(document);
      this.post({ kind: "document", title, version: document.version, blocks });
    }
  }

  private title(document: vscode.TextDocument): string {
    const name = vscode.workspace.asRelativePath(document.uri);
    const status = this.statuses.get(document.uri);
    if (!status) {
      return name;
    }
    return `${name} · ${counted(status, vscode.env.language)} · ${status.encoding}`;
  }

  private async sendBlock(index: number): Promise<void> {
    const { document } = this;
    if (!document) {
      return;
    }
    const { version } = document;
    const lines = new vscode.Range(index * BLOCK, 0, (index + 1) * BLOCK, 0);
    const range = plain(document.validateRange(lines));
    try {
      const uri = document.uri.toString();
      const { tokens } = await this.server.execute("promptls.tokens", uri, range);
      if (document === this.document && document.version === version) {
        this.post({ kind: "block", index, version, tokens: inBlock(tokens, index) });
      }
    } catch (error) {
      this.post({ kind: "problem", message: reason(error) });
    }
  }

  private select({ document, selection }: vscode.TextEditor): void {
    if (document === this.document) {
      this.post({ kind: "selection", range: plain(selection) });
    }
  }

  private reveal(range: vscode.Range): void {
    const editor = this.editor();
    if (editor) {
      editor.selection = new vscode.Selection(range.start, range.end);
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  private editor(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find(({ document }) => document === this.document);
  }

  private post(message: ToPage): void {
    void this.panel?.webview.postMessage(message);
  }

  dispose(): void {
    this.panel?.dispose();
    this.focusChanged.dispose();
    vscode.Disposable.from(...this.disposables).dispose();
  }
}
