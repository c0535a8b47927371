// Restarts one after the other, and the limit that ends a loop of crashes.

/** Runs `action` one call after the other; calls that wait for the same turn share it. */
export function coalesced(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = action().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) {
      return run();
    }
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined;
        return run();
      });
    return waiting;
  };
}

/** Allows `limit` crashes within `milliseconds`. */
export class CrashLimit {
  private crashes: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly milliseconds: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Record a crash; true when the server may be started again. */
  allows(): boolean {
    const now = this.now();
    this.crashes = this.crashes.filter((then) => now - then < this.milliseconds);
    this.crashes.push(now);
    return this.crashes.length <= this.limit;
  }

  /** Forget the past: the user has asked for a new start. */
  reset(): void {
    this.crashes = [];
  }
}
