// How the server can be started: the candidates, what each answers, and the first that will do.

import { t } from "./l10n";

export const OLDEST_SERVER = "0.1.0";
export const OLDEST_PYTHON = "3.10";

/** One thing that might start the server. */
export interface Candidate {
  /** Where it comes from, in words for people. */
  readonly source: string;
  readonly command: string;
  /** Arguments that come first, such as `-3` for `py`. */
  readonly args?: readonly string[];
  /** A Python interpreter, or the `promptls` executable itself. */
  readonly kind: "python" | "server";
  /** The user named it, so that nothing else is tried when it fails. */
  readonly configured?: boolean;
}

/** The command line that runs promptls, without its subcommand, and who said so. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly version: string;
  readonly source: string;
}

export interface Attempt {
  readonly candidate: Candidate;
  /** Why it was rejected; undefined when it was chosen. */
  readonly rejected?: string;
}

/** Runs a program and returns its standard output; rejects with one clear message. */
export type Run = (
  command: string,
  args: readonly string[],
  milliseconds?: number,
) => Promise<string>;

/** Makes an environment with the bundled server from a Python; undefined when nothing is bundled. */
export type Install = (python: Candidate) => Promise<Launch>;

// Printed as JSON, so that a banner of a wrapper script can't be taken for the answer.
const PROBE = [
  "import json, sys",
  "v = None",
  "try:",
  " import promptls; v = promptls.__version__",
  "except ImportError: pass",
  "print(json.dumps({'python': '%d.%d' % sys.version_info[:2], 'promptls': v}))",
].join("\n");

/** The first candidate that can start the server, and what was tried on the way. */
export async function findLaunch(
  candidates: Iterable<Candidate> | AsyncIterable<Candidate>,
  run: Run,
  install?: Install,
): Promise<{ launch: Launch | undefined; attempts: Attempt[] }> {
  const attempts: Attempt[] = [];
  const pythons: Candidate[] = [];
  for await (const candidate of candidates) {
    const answer = await ask(candidate, run);
    if ("launch" in answer) {
      attempts.push({ candidate });
      return { launch: answer.launch, attempts };
    }
    if (answer.lacksServer && install) {
      pythons.push(candidate);
    }
    attempts.push({ candidate, rejected: answer.rejected });
    if (candidate.configured) {
      break;
    }
  }
  return { launch: await installed(pythons, attempts, install), attempts };
}

async function installed(
  pythons: readonly Candidate[],
  attempts: Attempt[],
  install: Install | undefined,
): Promise<Launch | undefined> {
  for (const python of pythons) {
    const candidate = { ...python, source: t("{0}, with the bundled server", python.source) };
    try {
      const launch = await install?.(python);
      attempts.push({ candidate });
      return launch;
    } catch (error) {
      attempts.push({ candidate, rejected: t("it can't be set up: {0}", reason(error)) });
    }
  }
  return undefined;
}

type Answer =
  | { readonly launch: Launch }
  /** It won't do; `lacksServer` when it is a good Python that only lacks promptls. */
  | { readonly rejected: string; readonly lacksServer?: boolean };

async function ask(candidate: Candidate, run: Run): Promise<Answer> {
  const { command, kind, args = [] } = candidate;
  try {
    if (kind === "server") {
      const version = (await run(command, [...args, "--version"])).match(/\d+(\.\d+)+\S*/)?.[0];
      return version
        ? accept(candidate, args, version)
        : { rejected: t("it doesn't say which version of promptls it is") };
    }
    const { python, promptls } = lastJson(await run(command, [...args, "-c", PROBE]));
    if (older(python, OLDEST_PYTHON)) {
      return { rejected: t("it is Python {0}; {1} or newer is needed", python, OLDEST_PYTHON) };
    }
    return promptls
      ? accept(candidate, [...args, "-m", "promptls"], promptls)
      : { rejected: t("promptls isn't installed in it"), lacksServer: true };
  } catch (error) {
    return { rejected: reason(error) };
  }
}

function accept({ command, source }: Candidate, args: readonly string[], version: string): Answer {
  return older(version, OLDEST_SERVER)
    ? { rejected: t("its promptls is {0}; {1} or newer is needed", version, OLDEST_SERVER) }
    : { launch: { command, args, version, source } };
}

function lastJson(output: string): { python: string; promptls: string | null } {
  const line = output.trim().split(/\r?\n/).at(-1) ?? "";
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(t("it doesn't answer like Python"));
  }
}

/** Whether a version such as `3.9` or `0.2.0rc1` comes before another; compares numbers only. */
export function older(version: string, than: string): boolean {
  const left = numbers(version);
  const right = numbers(than);
  for (const [i, number] of right.entries()) {
    if ((left[i] ?? 0) !== number) {
      return (left[i] ?? 0) < number;
    }
  }
  return false;
}

const numbers = (version: string) =>
  version.split(".").map((part) => Number.parseInt(part, 10) || 0);

export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The attempts as lines of Markdown, for the debug information. */
export function report(attempts: readonly Attempt[]): string {
  const line = ({ candidate, rejected }: Attempt) =>
    `- ${candidate.source}: \`${[candidate.command, ...(candidate.args ?? [])].join(" ")}\`: ${
      rejected ?? "**chosen**"
    }`;
  return attempts.map(line).join("\n");
}
