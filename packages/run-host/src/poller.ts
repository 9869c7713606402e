import type { Clock } from "@weft/engine/ports/clock";

/** Work that is done again and again, never twice at once. */
export type Poller = {
  start(): void;
  /** Aborts the signal of the round that runs, and waits for it. */
  stop(): Promise<void>;
};

export type PollerOptions = {
  clock: Pick<Clock, "sleep">;
  /** From the end of one round to the beginning of the next. */
  everyMs: number;
  round(signal: AbortSignal): Promise<void>;
  /** Told of a round that failed. The next one comes all the same. */
  onFailure(cause: unknown): void;
};

export function createPoller({ clock, everyMs, round, onFailure }: PollerOptions): Poller {
  const stopping = new AbortController();
  const { signal } = stopping;
  let polling: Promise<void> | undefined;

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      await round(signal).catch((cause: unknown) => {
        if (!signal.aborted) onFailure(cause);
      });
      await clock.sleep(everyMs, signal).catch(() => undefined);
    }
  }

  return {
    start() {
      polling ??= poll();
    },
    async stop() {
      stopping.abort("stopped");
      await polling;
    },
  };
}
