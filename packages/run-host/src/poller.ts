import type { Sleeper } from "@weft/engine/ports/clock";

/** Work that is repeated, never twice at once. */
export type Poller = {
  start(): void;
  /** Starts the next round now, or when the current one is over. A woken round is followed by a pause of 100 ms. */
  wake(): void;
  /** Aborts the signal of the current round, and waits for it. */
  stop(): Promise<void>;
};

export type DueAnnouncer = {
  /** `at`: in milliseconds since the epoch. Default: now. */
  announce(at?: number): void;
};

export type DueListener = {
  /** Until the returned function is called. */
  onDue(wake: () => void): () => void;
};

/** Tells processes when something is due, so that they need not wait for their next poll. Notices may be lost. */
export type DueWork = DueAnnouncer & DueListener;

export type PollerOptions = {
  clock: Sleeper;
  /** From the end of one round to the start of the next, unless woken. */
  everyMs: number;
  round(signal: AbortSignal): Promise<void>;
  /** Told of a failed round. The next one runs nevertheless. */
  onFailure(cause: unknown): void;
  /** Wakes it while it is started. */
  due?: DueListener;
};

/** Pause after a woken round, so that many wakes become one. */
const leastMs = 100;

export function createPoller({ clock, everyMs, round, onFailure, due }: PollerOptions): Poller {
  const stopping = new AbortController();
  const { signal } = stopping;
  let nap = new AbortController();
  let isWoken = false;
  let polling: Promise<void> | undefined;
  let stopHearing: (() => void) | undefined;

  const sleep = (ms: number, until: AbortSignal) => clock.sleep(ms, until).catch(() => undefined);

  async function poll(): Promise<void> {
    let wasWoken = false;
    while (!signal.aborted) {
      isWoken = false;
      await round(signal).catch((cause: unknown) => {
        if (!signal.aborted) onFailure(cause);
      });
      if (wasWoken) await sleep(leastMs, signal);
      nap = new AbortController();
      if (!isWoken) await sleep(everyMs, AbortSignal.any([signal, nap.signal]));
      wasWoken = isWoken;
    }
  }

  function wake(): void {
    isWoken = true;
    // Without a reason it creates an exception each time, even when not asleep: a cost of every run.
    nap.abort("woken");
  }

  return {
    start() {
      polling ??= poll();
      stopHearing ??= due?.onDue(wake);
    },
    wake,
    async stop() {
      stopHearing?.();
      stopping.abort("stopped");
      await polling;
    },
  };
}
