// Tokens coloured in the editor, for the lines that can be seen.

import * as vscode from "vscode";
import { COLOURS, type Colour, type Coloured, colour } from "./colours";
import { isPrompt } from "./documents";
import { fromPlain, plain, visible } from "./ranges";
import type { Server } from "./server";

const DELAY = 60;

export class TokenColours implements vscode.Disposable {
  private on: boolean;
  private timer: NodeJS.Timeout | undefined;
  private readonly types = new Map<Colour, vscode.TextEditorDecorationType>();
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly memory: vscode.Memento,
  ) {
    this.on = memory.get("tokenColours", false);
    for (let i = 0; i < COLOURS; i++) {
      this.types.set(i, decoration(`promptls.token${i + 1}`));
    }
    this.types.set("control", decoration("promptls.controlToken"));
    const later = () => this.later();
    this.disposables = [
      ...this.types.values(),
      server.onHealth(({ state }) => (state === "running" ? this.later() : this.clearAll())),
      server.onStatus(later),
      vscode.window.onDidChangeVisibleTextEditors(later),
      vscode.window.onDidChangeTextEditorVisibleRanges(later),
    ];
    later();
  }

  async toggle(): Promise<void> {
    this.on = !this.on;
    await this.memory.update("tokenColours", this.on);
    if (this.on) {
      await this.colourAll();
    } else {
      this.clearAll();
    }
  }

  private later(): void {
    clearTimeout(this.timer);
    if (this.on && this.server.running) {
      this.timer = setTimeout(() => void this.colourAll(), DELAY);
    }
  }

  private async colourAll(): Promise<void> {
    const editors = vscode.window.visibleTextEditors.filter(({ document }) => isPrompt(document));
    await Promise.all(editors.map((editor) => this.colourEditor(editor)));
  }

  private async colourEditor(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    const version = document.version;
    try {
      const uri = document.uri.toString();
      const { tokens } = await this.server.execute("promptls.tokens", uri, plain(visible(editor)));
      // VS Code moves the decorations with an edit, so what is out of date is better left alone
      // until the answer for the new text arrives.
      if (this.on && document.version === version) {
        this.apply(editor, colour(tokens));
      }
    } catch {
      this.clear(editor);
    }
  }

  private apply(editor: vscode.TextEditor, tokens: readonly Coloured[]): void {
    for (const [name, type] of this.types) {
      const ranges = tokens
        .filter((token) => token.colour === name)
        .map(({ range }) => withoutLineEnds(fromPlain(range), editor.document));
      editor.setDecorations(type, ranges);
    }
  }

  /** Without a server nobody moves the colours to where the tokens are after an edit. */
  private clearAll(): void {
    clearTimeout(this.timer);
    vscode.window.visibleTextEditors.forEach((editor) => {
      this.clear(editor);
    });
  }

  private clear(editor: vscode.TextEditor): void {
    this.apply(editor, []);
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.disposables).dispose();
  }
}

/** In light and dark themes the background shows a token, in high contrast ones the border. */
function decoration(name: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor(`${name}Background`),
    border: "1px solid",
    borderColor: new vscode.ThemeColor(`${name}Border`),
    borderRadius: "2px",
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

/** A range up to its last visible character: VS Code would draw a bar at the next line's start. */
function withoutLineEnds(range: vscode.Range, document: vscode.TextDocument): vscode.Range {
  let { end } = range;
  while (end.character === 0 && end.line > range.start.line) {
    end = document.lineAt(end.line - 1).range.end;
  }
  return range.with(undefined, end);
}
