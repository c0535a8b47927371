// The ranges that are asked about, as LSP writes them: VS Code's own turn into arrays when they are
// sent.

import * as vscode from "vscode";
import type { Range } from "./contract";

/** Lines above and below the visible ones, so that slow scrolling finds them ready. */
const MARGIN = 30;

export function plain({ start, end }: vscode.Range): Range {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}

export function fromPlain({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** The selection's range; undefined, for the whole document, when nothing is selected. */
export function selected(selection: vscode.Selection): Range | undefined {
  return selection.isEmpty ? undefined : plain(selection);
}

/** The lines that an editor shows, and some around them. */
export function visible({ document, visibleRanges }: vscode.TextEditor): vscode.Range {
  const first = visibleRanges[0]?.start.line ?? 0;
  const last = visibleRanges.at(-1)?.end.line ?? 0;
  return document.validateRange(
    new vscode.Range(Math.max(0, first - MARGIN), 0, last + MARGIN + 1, 0),
  );
}
