// Where a server or a Python may be on this machine, in the order in which they are tried.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import type { Candidate } from "./launch";
import { run } from "./process";

const WINDOWS = process.platform === "win32";
const EXTENSION_TIMEOUT = 5_000;

/**
 * All candidates; the later ones are looked for only when the earlier ones won't do. In a workspace
 * that isn't trusted, none of them comes from the workspace.
 */
export async function* findCandidates(): AsyncGenerator<Candidate> {
  yield* configured();
  if (vscode.workspace.isTrusted) {
    // An interpreter that was selected for the workspace is often one that lies in it.
    yield* await selectedInPythonExtensions();
    yield* inWorkspace();
  }
  yield* onPath(["promptls"], "server");
  yield* onPath(WINDOWS ? ["py", "python"] : ["python3", "python"], "python");
  yield* await fromUv();
}

function configured(): Candidate[] {
  const settings = vscode.workspace.getConfiguration("promptls", folder()?.uri);
  const kinds = { "server.path": "server", interpreter: "python" } as const;
  return Object.entries(kinds).flatMap(([name, kind]) => {
    const path = expand(settings.get<string | null>(name) ?? "");
    return path ? [{ source: `promptls.${name}`, command: path, kind, configured: true }] : [];
  });
}

/** Replaces `~` and `${workspaceFolder}`, the two that people write in settings. */
function expand(path: string): string {
  return path
    .trim()
    .replace(/^~(?=$|[/\\])/, homedir())
    .replaceAll(/\$\{workspaceFolder\}/g, folder()?.uri.fsPath ?? "");
}

/** The interpreters selected in the two extensions of Microsoft, when they are installed. */
async function selectedInPythonExtensions(): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const environments = await exportsOf<PythonEnvironments>("ms-python.vscode-python-envs");
  const run = (await soft(environments?.getEnvironment(folder()?.uri)))?.execInfo?.run;
  if (run) {
    const args = run.args ?? [];
    found.push({ source: "Python Environments", command: run.executable, args, kind: "python" });
  }
  const python = (await exportsOf<PythonExtension>("ms-python.python"))?.environments;
  const path = python?.getActiveEnvironmentPath(folder()?.uri);
  const environment = path && (await soft(python?.resolveEnvironment(path)));
  const executable = environment?.executable.uri?.fsPath;
  if (executable) {
    found.push({ source: "Python extension", command: executable, kind: "python" });
  }
  return found;
}

interface PythonEnvironments {
  getEnvironment(
    scope: vscode.Uri | undefined,
  ): Promise<{ execInfo?: { run?: { executable: string; args?: string[] } } } | undefined>;
}

interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource: vscode.Uri | undefined): { path: string };
    resolveEnvironment(
      path: object,
    ): Promise<{ executable: { uri: vscode.Uri | undefined } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** Calls `listener` when another interpreter is selected in the Python extension. */
export async function onInterpreterSelected(listener: () => void): Promise<vscode.Disposable> {
  const api = await exportsOf<PythonExtension>("ms-python.python");
  return api?.environments.onDidChangeActiveEnvironmentPath(listener) ?? { dispose() {} };
}

async function exportsOf<T>(id: string): Promise<T | undefined> {
  const extension = vscode.extensions.getExtension<T>(id);
  return extension && soft(extension.activate());
}

/** The value, or undefined when another extension fails or takes too long to answer. */
async function soft<T>(value: PromiseLike<T> | undefined): Promise<T | undefined> {
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(resolve, EXTENSION_TIMEOUT, undefined);
  });
  return Promise.race([Promise.resolve(value).catch(() => undefined), timeout]);
}

function inWorkspace(): Candidate[] {
  const python = WINDOWS ? join("Scripts", "python.exe") : join("bin", "python");
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === "file")
    .flatMap(({ uri }) => [".venv", "venv"].map((name) => join(uri.fsPath, name, python)))
    .filter(existsSync)
    .map((command) => ({ source: "workspace", command, kind: "python" }));
}

function onPath(names: readonly string[], kind: Candidate["kind"]): Candidate[] {
  return names.flatMap((name) => {
    const file = WINDOWS ? `${name}.exe` : name;
    const command = pathFolders()
      .map((path) => join(path, file))
      .find(existsSync);
    const args = name === "py" ? ["-3"] : [];
    return command ? [{ source: "PATH", command, args, kind }] : [];
  });
}

/** The folders of PATH; relative ones would mean whatever folder VS Code was started in. */
function pathFolders(): string[] {
  return (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
}

/** A Python that uv manages; uv is asked to look only, not to download one. */
async function fromUv(): Promise<Candidate[]> {
  const usual = [".local/bin", ".cargo/bin"].map((path) => join(homedir(), path));
  const folders = [...pathFolders(), ...usual, "/opt/homebrew/bin"];
  const uv = folders.map((path) => join(path, WINDOWS ? "uv.exe" : "uv")).find(existsSync);
  if (!uv) {
    return [];
  }
  const args = ["python", "find", "--no-project", "--no-python-downloads", "--offline", ">=3.10"];
  const command = (await soft(run(uv, args)))?.trim();
  return command ? [{ source: "uv", command, kind: "python" }] : [];
}

function folder(): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
}
