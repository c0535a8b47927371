// The server's life: one way to start it, restarts in turn, and an end to crash loops.

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import { findCandidates } from "./candidates";
import type { ServerCommands, StatusNotification } from "./contract";
import { SELECTOR } from "./documents";
import { t } from "./l10n";
import { type Attempt, findLaunch, type Install, type Launch, reason } from "./launch";
import { run, spawnOptions, startIn } from "./process";
import { CrashLimit, coalesced } from "./queue";

const CRASHES = 3;
const CRASH_PERIOD = 3 * 60_000;

export type Health =
  | { readonly state: "stopped" | "starting" }
  | { readonly state: "running"; readonly launch: Launch }
  /** `summary` is short, `message` says why. */
  | { readonly state: "failed"; readonly summary: string; readonly message: string };

/** The client library's own pop-ups are left out: a failed start is reported once, by `Server`. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server implements vscode.Disposable {
  private readonly inTurn = coalesced(async () => {
    await this.stop();
    await this.start();
  });
  private started: Promise<void> | undefined;

  health: Health = { state: "stopped" };
  attempts: readonly Attempt[] = [];

  private client: LanguageClient | undefined;
  private readonly crashes = new CrashLimit(CRASHES, CRASH_PERIOD);
  private readonly healthChanged = new vscode.EventEmitter<Health>();
  private readonly statusReceived = new vscode.EventEmitter<StatusNotification>();
  readonly onHealth = this.healthChanged.event;
  readonly onStatus = this.statusReceived.event;

  constructor(
    private readonly storage: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly install: Install | undefined,
    private readonly middleware: NonNullable<LanguageClientOptions["middleware"]>,
  ) {}

  /** Start, unless that was done before: for the first prompt, or for what needs the server. */
  begin(): Promise<void> {
    return this.started ?? this.restart();
  }

  get begun(): boolean {
    return this.started !== undefined;
  }

  /** The one way to start: what a prompt, the command and a crash all come to. */
  restart(): Promise<void> {
    this.started = this.inTurn();
    return this.started;
  }

  /** What the user asks for: the crashes of the past no longer count. */
  restartFresh(): Promise<void> {
    this.crashes.reset();
    if (this.health.state === "starting") {
      // A server that hangs while it starts would keep this restart waiting for ever.
      this.client?.serverProcess?.kill();
    }
    return this.restart();
  }

  /**
   * Have the server execute a command, once it has been started or that has failed; rejects with a
   * message for people.
   */
  async execute<C extends keyof ServerCommands>(
    command: C,
    ...args: ServerCommands[C]["args"]
  ): Promise<ServerCommands[C]["result"]> {
    await this.begin();
    if (!this.client?.isRunning()) {
      throw notRunning();
    }
    return this.client.sendRequest(ExecuteCommandRequest.type, {
      command,
      arguments: args.filter((argument) => argument !== undefined),
    });
  }

  /** The connection to the server while it is running. */
  get connection(): LanguageClient | undefined {
    return this.running ? this.client : undefined;
  }

  get running(): boolean {
    return this.health.state === "running";
  }

  /** The command line of promptls, as the server itself was started. */
  async commandLine(...args: string[]): Promise<{ command: string; args: string[] }> {
    await this.begin();
    if (this.health.state !== "running") {
      throw notRunning();
    }
    const { launch } = this.health;
    return { command: launch.command, args: [...launch.args, ...args] };
  }

  /** Start again if a server that was started would now be started in another way. */
  async reconsider(): Promise<void> {
    if (!this.begun) {
      return;
    }
    await this.started;
    const { launch } = await this.findLaunch();
    if (launch && (this.health.state !== "running" || !same(launch, this.health.launch))) {
      await this.restartFresh();
    }
  }

  private findLaunch(): Promise<{ launch: Launch | undefined; attempts: Attempt[] }> {
    return findLaunch(findCandidates(), run, this.install);
  }

  private async start(): Promise<void> {
    this.become({ state: "starting" });
    try {
      await startIn(this.storage);
      const { launch, attempts } = await this.findLaunch();
      this.attempts = attempts;
      if (!launch) {
        throw new Error(nothingFits(attempts, this.install !== undefined));
      }
      this.log.info(`Starting ${launch.command} ${launch.args.join(" ")} (${launch.source})`);
      this.client = this.newClient(launch);
      this.client.onNotification("promptls/status", (status: StatusNotification) =>
        this.statusReceived.fire(status),
      );
      await this.client.start().catch((error) => {
        this.log.error(reason(error));
        throw new Error(t("It ended while it was starting; the log says why."));
      });
      this.become({ state: "running", launch });
    } catch (error) {
      this.client?.serverProcess?.kill();
      this.client = undefined;
      const summary = t("promptls can't be started");
      this.fail(summary, t("The promptls server can't be started. {0}", reason(error)));
    }
  }

  private newClient(launch: Launch): LanguageClient {
    const { command, args } = launch;
    const client: LanguageClient = new QuietClient(
      "promptls",
      "promptls",
      { command, args: [...args, "serve"], options: spawnOptions() },
      {
        documentSelector: SELECTOR,
        outputChannel: this.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationOptions: {
          statusNotifications: true,
          trusted: vscode.workspace.isTrusted,
        },
        initializationFailedHandler: () => false,
        middleware: this.middleware,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => {
            this.crashed(client);
            return { action: CloseAction.DoNotRestart, handled: true };
          },
        },
        stdioOptions: {
          stdout: () => undefined,
          stderr: (input, log) => {
            input.setEncoding("utf8");
            input.on("data", (text: string) => log.info(text.trimEnd()));
          },
        },
      },
    );
    return client;
  }

  /** The connection has gone without being asked to. A start in progress reports for itself. */
  private crashed(client: LanguageClient): void {
    if (client !== this.client || !this.running) {
      return;
    }
    this.client = undefined;
    if (this.crashes.allows()) {
      this.log.warn("The server ended unexpectedly; starting it again.");
      void this.restart();
    } else {
      const message = t("The promptls server has ended {0} times in {1} minutes.", CRASHES + 1, 3);
      this.fail(t("promptls is stopped"), message);
    }
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client) {
      this.become({ state: "stopped" });
      await client.dispose().catch((error) => this.log.warn(reason(error)));
    }
  }

  private fail(summary: string, message: string): void {
    this.log.error(message);
    this.become({ state: "failed", summary, message });
    void this.offerHelp(message);
  }

  private async offerHelp(message: string): Promise<void> {
    const open = "workbench.action.openSettings";
    const answers: Record<string, () => unknown> = {
      [t("Open Settings")]: () => vscode.commands.executeCommand(open, "promptls.interpreter"),
      [t("Restart")]: () => this.restartFresh(),
      [t("Show Logs")]: () => this.log.show(),
    };
    const answer = await vscode.window.showErrorMessage(message, ...Object.keys(answers));
    await answers[answer ?? ""]?.();
  }

  private become(health: Health): void {
    this.health = health;
    this.healthChanged.fire(health);
  }

  async dispose(): Promise<void> {
    await this.stop();
    this.healthChanged.dispose();
    this.statusReceived.dispose();
  }
}

/** What to do when no candidate will do. */
function nothingFits(attempts: readonly Attempt[], isBundled: boolean): string {
  const chosen = attempts.filter(({ candidate }) => candidate.configured).at(-1);
  if (chosen) {
    const { source, command } = chosen.candidate;
    return t("{0} is {1}: {2}.", source, command, chosen.rejected ?? "");
  }
  if (isBundled) {
    return t("Install Python 3.10 or newer, or name one in promptls.interpreter.");
  }
  return t(
    "Install promptls into a Python 3.10 or newer, or name that Python in promptls.interpreter.",
  );
}

function same(a: Launch, b: Launch): boolean {
  return a.command === b.command && a.args.join() === b.args.join();
}

function notRunning(): Error {
  return new Error(t("The promptls server isn't running."));
}
