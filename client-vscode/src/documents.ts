// Which documents are prompts: by name as well as by language, because other extensions may claim
// these files for languages of their own, and because not every JSON or YAML file is a prompt.

import * as vscode from "vscode";
import { LANGUAGES, PATTERNS } from "./formats";

/** A document filter as both VS Code and the language client understand it. */
interface Filter {
  readonly scheme: string;
  readonly language?: string;
  readonly pattern?: string;
}

// A scheme is always named: without one, the left side of a diff, the input boxes of comments and
// of source control, and the output panel would be counted too.
const SCHEMES = ["file", "untitled", "vscode-notebook-cell", "vscode-userdata", "vscode-vfs"];

export const SELECTOR: Filter[] = SCHEMES.flatMap((scheme) => [
  ...LANGUAGES.map((language) => ({ scheme, language })),
  ...PATTERNS.map((pattern) => ({ scheme, pattern })),
]);

/** Whether a document is a prompt, as VS Code's own matching has it. */
export function isPrompt(document: vscode.TextDocument): boolean {
  return vscode.languages.match(SELECTOR, document) > 0;
}
