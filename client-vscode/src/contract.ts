// What the server says beyond standard LSP, and the commands that it executes.

/** `promptls/status`: the counts of one version of one document. */
export interface Status {
  readonly uri: string;
  readonly version: number;
  readonly format: string;
  readonly encoding: string;
  /** What the model is given: the sum over messages, without template tags. */
  readonly tokens: number;
  /** The file as it stands. */
  readonly rawTokens?: number;
  readonly exact: boolean;
  readonly placeholders: number;
  readonly messages: number;
  readonly lines: number;
  readonly characters: number;
  readonly budget: number | null;
  readonly state: "counting" | "done";
}

export interface Counts {
  readonly encoding: string;
  readonly exact: boolean;
  readonly tokens: number;
  readonly budget: number | null;
  readonly ranges: readonly { readonly tokens: number }[];
}

export interface ComparisonRow {
  readonly encoding: string;
  readonly tokens: number;
  readonly characters_per_token: number;
  readonly bytes_per_token: number;
  readonly tokens_per_word: number;
}

export interface Comparison {
  readonly encoding: string;
  readonly rows: readonly ComparisonRow[];
}

export interface Position {
  readonly line: number;
  /** UTF-16 units, the only position encoding that VS Code speaks. */
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Token {
  readonly id: number;
  /** `null` when the token holds only a part of a character. */
  readonly text: string | null;
  readonly bytes: string;
  readonly special: boolean;
  readonly range: Range;
}

export interface Encodings {
  readonly encodings: readonly {
    readonly name: string;
    readonly vocabulary_size?: number;
    readonly models: readonly string[];
  }[];
}

/** The server's commands: their arguments and their results. */
export interface ServerCommands {
  "promptls.countTokens": { args: [uri: string, ranges?: Range[]]; result: Counts };
  "promptls.compareEncodings": {
    args: [uri: string, range?: Range | undefined];
    result: Comparison;
  };
  "promptls.tokens": {
    args: [uri: string, range?: Range | undefined];
    result: { encoding: string; tokens: readonly Token[] };
  };
  "promptls.setEncoding": {
    args: [uri: string | null, name: string | null];
    result: { encoding: string };
  };
  "promptls.encodings": { args: []; result: Encodings };
}
