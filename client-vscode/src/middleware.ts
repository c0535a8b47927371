// What is changed between VS Code and the server.

import type { LanguageClientOptions } from "vscode-languageclient/node";

/** The settings that decide how the server is started, by the first part of their names. */
export const LAUNCH_SETTINGS = ["server", "interpreter"];
const CLIENT_SETTINGS = [...LAUNCH_SETTINGS, "trace"];

export const middleware: NonNullable<LanguageClientOptions["middleware"]> = {
  // The server offers token colours in this way to editors without decorations; here they would
  // only be computed twice.
  provideDocumentSemanticTokens: () => null,
  provideDocumentRangeSemanticTokens: () => null,
  workspace: {
    // The server reports settings that it doesn't know, so it isn't given the client's.
    configuration: async (params, token, next) => {
      const answers = await next(params, token);
      return Array.isArray(answers) ? answers.map(forServer) : answers;
    },
  },
};

/** The settings of the server. A text that isn't set is empty in VS Code, and null elsewhere. */
export function forServer(settings: unknown): unknown {
  if (typeof settings !== "object" || settings === null) {
    return settings;
  }
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => !CLIENT_SETTINGS.includes(name))
      .map(([name, value]) => [name, value === "" ? null : value]),
  );
}
