// How the server can be started: the candidates, what each answers, and the first that will do.

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
  candidates: readonly Candidate[],
  run: Run,
  install?: Install,
): Promise<{ launch: Launch | undefined; attempts: Attempt[] }> {
  const attempts: Attempt[] = [];
  const pythons: Candidate[] = [];
  for (const candidate of candidates) {
    const answer = await ask(candidate, run);
    if (typeof answer === "object") {
      attempts.push({ candidate });
      return { launch: answer, attempts };
    }
    if (answer === NO_SERVER && install) {
      pythons.push(candidate);
    }
    attempts.push({ candidate, rejected: answer });
    if (candidate.configured) {
      break;
    }
  }
  return { launch: await installed(pythons, attempts, install), attempts };
}

const NO_SERVER = "promptls is not installed in it";

async function installed(
  pythons: readonly Candidate[],
  attempts: Attempt[],
  install: Install | undefined,
): Promise<Launch | undefined> {
  for (const python of pythons) {
    const candidate = { ...python, source: `${python.source}, with the bundled server` };
    try {
      const launch = await install?.(python);
      attempts.push({ candidate });
      return launch;
    } catch (error) {
      attempts.push({
        candidate,
        rejected: `it can't be set up: ${reason(error)}`,
      });
    }
  }
  return undefined;
}

/** How to start the server with this candidate, or why it won't do. */
async function ask(candidate: Candidate, run: Run): Promise<Launch | string> {
  const { command, source } = candidate;
  const first = candidate.args ?? [];
  try {
    if (candidate.kind === "server") {
      const version = (await run(command, [...first, "--version"])).match(/\d+(\.\d+)+\S*/)?.[0];
      return usable(version) ?? { command, args: first, version: `${version}`, source };
    }
    const answer = lastJson(await run(command, [...first, "-c", PROBE]));
    if (older(answer.python, OLDEST_PYTHON)) {
      return `it is Python ${answer.python}; ${OLDEST_PYTHON} or newer is needed`;
    }
    if (answer.promptls === null) {
      return NO_SERVER;
    }
    const args = [...first, "-m", "promptls"];
    return usable(answer.promptls) ?? { command, args, version: answer.promptls, source };
  } catch (error) {
    return reason(error);
  }
}

function usable(version: string | undefined): string | undefined {
  if (version === undefined) {
    return "it doesn't say which version of promptls it is";
  }
  return older(version, OLDEST_SERVER)
    ? `its promptls is ${version}; ${OLDEST_SERVER} or newer is needed`
    : undefined;
}

function lastJson(output: string): { python: string; promptls: string | null } {
  const line = output.trim().split(/\r?\n/).at(-1) ?? "";
  try {
    return JSON.parse(line);
  } catch {
    throw new Error("it doesn't answer like Python");
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
