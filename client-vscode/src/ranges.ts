// Ranges as LSP writes them: VS Code's own turn into arrays when they are sent.

import * as vscode from "vscode";
import type { Range } from "./contract";

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
