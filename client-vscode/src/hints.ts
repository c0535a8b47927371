// The counts at the lines' ends, drawn by the extension itself.
//
// VS Code goes on showing an inlay hint while its line is edited and asks for new ones when the
// typing pauses, so the number on the line that one writes would be wrong nearly all the time.
// Decorations can be taken away at an edit, and put back as soon as the server has answered. Where
// a setting calls for what only inlay hints can do, they are VS Code's own.

import * as vscode from "vscode";
import {
  type InlayHint,
  InlayHintRequest,
  InlayHintResolveRequest,
  type LanguageClientOptions,
} from "vscode-languageclient/node";
import { isPrompt, SELECTOR } from "./documents";
import { plain, visible } from "./ranges";
import type { Server } from "./server";
import { surviving } from "./stale";

type Middleware = NonNullable<LanguageClientOptions["middleware"]>;

/** Behind the end of any line: VS Code takes the end that the line has when it draws. */
const LINE_END = 2 ** 30;
/** How long counts out of an edit's reach may wait for the server to confirm them, in ms. */
const PATIENCE = 150;

/** What an inlay hint looks like. VS Code has no names for a decoration's size and padding. */
const STYLE: vscode.ThemableDecorationAttachmentRenderOptions = {
  color: new vscode.ThemeColor("editorInlayHint.foreground"),
  backgroundColor: new vscode.ThemeColor("editorInlayHint.background"),
  margin: "0 0 0 0.3em",
  textDecoration: "none; font-size: 0.9em; border-radius: 0.2em; padding: 0 0.2em",
};

/** The settings of VS Code that say whether and how hints are shown. */
const SETTINGS = ["editor.inlayHints.enabled", "editor.accessibilitySupport"];

type Hint = Omit<InlayHint, "label"> & { readonly label: string };

/** What an editor shows, and what it waits for. */
class Shown {
  hints: ReadonlyMap<number, Hint> = new Map();
  request = new vscode.CancellationTokenSource();
  overdue: NodeJS.Timeout | undefined;

  isConfirmed(): void {
    clearTimeout(this.overdue);
    this.overdue = undefined;
  }
}

export class LineHints implements vscode.Disposable {
  private server: Server | undefined;
  private readonly type = vscode.window.createTextEditorDecorationType({ after: STYLE });
  private readonly editors = new Map<vscode.TextEditor, Shown>();
  private readonly disposables: vscode.Disposable[] = [this.type];

  readonly middleware: Middleware = {
    didChange: async (event, next) => {
      this.edited(event);
      await next(event);
      this.ask(event.document);
    },
    // VS Code asks when a document is opened or scrolled, and when the server has it ask again.
    provideInlayHints: (document, range, token, next) => {
      if (areInlayHints(document)) {
        return next(document, range, token);
      }
      this.ask(document);
      return [];
    },
    provideHover: async (document, position, token, next) => {
      const [hover, tooltip] = await Promise.all([
        next(document, position, token),
        this.tooltip(document, position),
      ]);
      return tooltip
        ? new vscode.Hover([tooltip, ...(hover?.contents ?? [])], hover?.range)
        : hover;
    },
  };

  /** Begin to draw what `server` counts. */
  follow(server: Server): void {
    this.server = server;
    this.disposables.push(
      server.onHealth(({ state }) => (state === "running" ? this.ask() : this.clear())),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        void this.askFor(textEditor);
      }),
      vscode.window.onDidChangeVisibleTextEditors((visible) => {
        for (const editor of this.editors.keys()) {
          if (!visible.includes(editor)) {
            this.forget(editor);
          }
        }
        this.ask();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (SETTINGS.some((name) => event.affectsConfiguration(name))) {
          this.clear();
          this.ask();
          haveInlayHintsAskedFor();
        }
      }),
    );
  }

  /** Take away what an edit may have made wrong, before anything else happens. */
  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const lineAt = (line: number) =>
      line >= 0 && line < document.lineCount ? document.lineAt(line).text : undefined;
    for (const [editor, shown] of this.editors) {
      if (editor.document === document) {
        shown.request.cancel();
        this.draw(editor, surviving(shown.hints, contentChanges, lineAt));
        shown.overdue ??= setTimeout(() => this.draw(editor, new Map()), PATIENCE);
      }
    }
  }

  /** Ask for the counts of every editor that can be seen, or of those of one document. */
  private ask(document?: vscode.TextDocument): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (!document || editor.document === document) {
        void this.askFor(editor);
      }
    }
  }

  /** Have the server count an editor's visible lines; only the answer to the last question counts. */
  private async askFor(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    const client = this.server?.connection;
    if (!client || !isPrompt(document) || areInlayHints(document)) {
      return;
    }
    const shown = this.editors.get(editor) ?? new Shown();
    this.editors.set(editor, shown);
    shown.request.cancel();
    const request = new vscode.CancellationTokenSource();
    shown.request = request;
    const params = {
      textDocument: { uri: document.uri.toString() },
      range: plain(visible(editor)),
    };
    const hints = await client
      .sendRequest(InlayHintRequest.type, params, request.token)
      .catch(() => null);
    if (!request.token.isCancellationRequested) {
      shown.isConfirmed();
      this.draw(editor, new Map(hints?.map((hint) => [hint.position.line, hint as Hint])));
    }
  }

  private draw(editor: vscode.TextEditor, hints: ReadonlyMap<number, Hint>): void {
    const shown = this.editors.get(editor);
    if (shown) {
      shown.hints = hints;
      editor.setDecorations(
        this.type,
        [...hints].map(([line, { label }]) => ({
          range: new vscode.Range(line, LINE_END, line, LINE_END),
          renderOptions: { after: { contentText: label } },
        })),
      );
    }
  }

  /** What a count consists of, where the mouse or the cursor is at the line's end. */
  private async tooltip(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<string | undefined> {
    const shown = [...this.editors].find(([editor]) => editor.document === document)?.[1];
    const hint = shown?.hints.get(position.line);
    const client = this.server?.connection;
    if (!hint || !client || position.character < document.lineAt(position.line).text.length) {
      return undefined;
    }
    const { tooltip } = await client.sendRequest(InlayHintResolveRequest.type, hint);
    return typeof tooltip === "string" ? tooltip : undefined;
  }

  /** No count is shown while nobody is there who knows whether it is right. */
  private clear(): void {
    for (const editor of [...this.editors.keys()]) {
      this.forget(editor);
    }
  }

  private forget(editor: vscode.TextEditor): void {
    const shown = this.editors.get(editor);
    shown?.request.cancel();
    shown?.isConfirmed();
    this.draw(editor, new Map());
    this.editors.delete(editor);
  }

  dispose(): void {
    this.clear();
    vscode.Disposable.from(...this.disposables).dispose();
  }
}

/**
 * Whether a document's counts are VS Code's own inlay hints: a screen reader can be told to read
 * these, no extension sees the key that shows or hides them, nor can it draw in a notebook's cells.
 */
function areInlayHints(document: vscode.TextDocument): boolean {
  const editor = vscode.workspace.getConfiguration("editor", document);
  return (
    document.uri.scheme === "vscode-notebook-cell" ||
    editor.get("accessibilitySupport") === "on" ||
    editor.get("inlayHints.enabled") !== "on"
  );
}

/**
 * When its settings change, VS Code asks for hints before extensions know of the change. It asks
 * again when there is another provider, or one less.
 */
function haveInlayHintsAskedFor(): void {
  vscode.languages.registerInlayHintsProvider(SELECTOR, { provideInlayHints: () => [] }).dispose();
}
