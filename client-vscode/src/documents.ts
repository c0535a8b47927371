// Which documents are prompts.

/** A document filter as both VS Code and the language client understand it. */
interface Filter {
  readonly scheme: string;
  readonly language?: string;
  readonly pattern?: string;
}

// A scheme is always named: without one, the left side of a diff, the input boxes of comments and
// of source control, and the output panel would be counted too.
const SCHEMES = ["file", "untitled", "vscode-notebook-cell", "vscode-userdata", "vscode-vfs"];

// The manifest names TOML a language of its own, or settings files would be plain text, and so
// prompts, wherever no other extension does it.
export const LANGUAGES = [
  "plaintext",
  "markdown",
  "prompt",
  "instructions",
  "chatagent",
  "skill",
  "dotprompt",
  "chatml",
  "prompty",
  "jinja",
  "mustache",
  "handlebars",
  "mdc",
  "baml",
];

// By name as well as by language, because other extensions may claim these files for languages of
// their own, and because not every JSON or YAML file is a prompt.
const PATTERNS = [
  "**/*.{prompty,prompt,chatml,j2,jinja,jinja2,mustache,hbs,handlebars,mdc,baml}",
  "**/*.prompt.{yml,yaml,json}",
  "**/*.messages.{json,jsonl}",
  "**/promptfooconfig.{yaml,yml,json}",
];

export const SELECTOR: Filter[] = SCHEMES.flatMap((scheme) => [
  ...LANGUAGES.map((language) => ({ scheme, language })),
  ...PATTERNS.map((pattern) => ({ scheme, pattern })),
]);
