// Whether a document is a prompt, as VS Code's own matching has it.

import * as vscode from "vscode";
import { SELECTOR } from "./documents";

export function isPrompt(document: vscode.TextDocument): boolean {
  return vscode.languages.match(SELECTOR, document) > 0;
}
