// The bundled server: its wheels, put into an environment of the extension's own.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { t } from "./l10n";
import type { Candidate, Install, Launch, Run } from "./launch";

const SETUP_TIMEOUT = 5 * 60_000;
const POLL = 500;
/** Environments of other versions are kept this long: another window may still use them. */
const KEEP = 7 * 24 * 3600_000;

interface Bundle {
  readonly version: string;
  /** Names its contents: another bundle means another environment. */
  readonly id: string;
  /** The wheel of pip, which installs the others, and its SHA-256. */
  readonly installer: string;
  readonly installerHash: string;
}

/** Shows that something takes time, while `work` is going on. */
type Progress = <T>(work: () => Promise<T>) => Promise<T>;

/** How to install the server that is bundled in `extension` into `storage`, when one is. */
export function bundledServer(
  extension: string,
  storage: string,
  run: Run,
  progress: Progress,
): Install | undefined {
  const bundled = join(extension, "bundled");
  const description = join(bundled, "bundle.json");
  if (!existsSync(description)) {
    return undefined;
  }
  const bundle: Bundle = JSON.parse(readFileSync(description, "utf8"));
  return async (python) => {
    const version = await run(python.command, [...(python.args ?? []), "-c", VERSION]);
    const folder = join(storage, `server-${bundle.id}-${version.trim()}`);
    const launch = launchOf(folder, bundle, python);
    if (!(await works(launch, folder, bundle, run))) {
      await progress(() =>
        exclusively(folder, () => create(folder, bundled, bundle, python, launch, run)),
      );
    }
    await keepOnly(storage, folder);
    return launch;
  };
}

const VERSION = "import sys; print('%d.%d' % sys.version_info[:2])";
const INSTALLED = "import pygls, tiktoken, promptls; print(promptls.__version__)";

function launchOf(folder: string, bundle: Bundle, python: Candidate): Launch {
  const path = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  return {
    command: join(folder, ...path),
    args: ["-I", "-X", "utf8", "-m", "promptls"],
    version: bundle.version,
    source: t("{0}, with the bundled server", python.source),
  };
}

const ready = (folder: string) => join(folder, "ready");

/** Whether the environment is complete and its Python, which may have been removed, still runs. */
async function works(launch: Launch, folder: string, bundle: Bundle, run: Run): Promise<boolean> {
  if (!existsSync(ready(folder))) {
    return false;
  }
  try {
    return (await run(launch.command, ["-I", "-c", INSTALLED])).trim() === bundle.version;
  } catch {
    return false;
  }
}

async function create(
  folder: string,
  bundled: string,
  { installer, installerHash }: Bundle,
  { command, args = [] }: Candidate,
  launch: Launch,
  run: Run,
): Promise<void> {
  const wheels = join(bundled, "wheels");
  // pip verifies all wheels by the hashes in requirements.txt, and is verified here, since it runs.
  const pip = join(wheels, installer);
  if (
    createHash("sha256")
      .update(await readFile(pip))
      .digest("hex") !== installerHash
  ) {
    throw new Error(t("{0} isn't what was packaged; install the extension again", installer));
  }
  await rm(folder, { recursive: true, force: true });
  // Without pip, because some systems leave out what installs it; the bundled one is used.
  await run(command, [...args, "-I", "-m", "venv", "--without-pip", folder], SETUP_TIMEOUT);
  const offline = ["--isolated", "--no-index", "--no-deps", "--require-hashes"];
  const quietly = ["--quiet", "--disable-pip-version-check"];
  const from = ["--find-links", wheels, "--requirement", join(bundled, "requirements.txt")];
  const install = ["install", ...quietly, ...offline, ...from];
  await run(launch.command, [join(pip, "pip"), ...install], SETUP_TIMEOUT);
  await writeFile(ready(folder), "");
}

/** Lets one window set up an environment, while the others wait for it. */
async function exclusively(folder: string, work: () => Promise<void>): Promise<void> {
  const lock = `${folder}.lock`;
  try {
    await mkdir(lock);
  } catch {
    await released(lock);
    return existsSync(ready(folder)) ? undefined : exclusively(folder, work);
  }
  try {
    await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/** Waits until a lock is gone; one that has become too old was left behind and is removed. */
async function released(lock: string): Promise<void> {
  while (existsSync(lock)) {
    if (Date.now() - (await age(lock)) > SETUP_TIMEOUT) {
      await rm(lock, { recursive: true, force: true });
    } else {
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  }
}

/** When a path was last touched, in milliseconds; 0 when it is gone. */
async function age(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Removes the environments that no window has used for a while. */
async function keepOnly(storage: string, current: string): Promise<void> {
  const now = new Date();
  await utimes(ready(current), now, now);
  for (const name of await readdir(storage)) {
    const folder = join(storage, name);
    const other = name.startsWith("server-") && folder !== current && !name.endsWith(".lock");
    if (other && now.getTime() - (await age(ready(folder))) > KEEP) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
