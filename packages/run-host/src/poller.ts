import type { Clock } from "@weft/engine/ports/clock";

/** Work that is done again and again, never twice at once. */
export type Poller = {
  start(): void;
  /** Has the next round begin now, or when the one that runs is over. A round that was woken is followed by a pause of 100 ms. */
  wake(): void;
  /** Aborts the signal of the round that runs, and waits for it. */
  stop(): Promise<void>;
};

/** Tells processes when something is due, so that they need not wait for their next look. What it says may be lost. */
export type DueWork = {
  /** `at`: in milliseconds since the epoch. Default: now. */
  announce(at?: number): void;
  /** Until the returned function is called. */
  onDue(wake: () => void): () => void;
};

export type PollerOptions = {
  clock: Pick<Clock, "sleep">;
  /** From the end of one round to the beginning of the next that nothing wakes. */
  everyMs: number;
  round(signal: AbortSignal): Promise<void>;
  /** Told of a round that failed. The next one comes all the same. */
  onFailure(cause: unknown): void;
  /** What wakes it while it is started. */
  due?: Pick<DueWork, "onDue">;
};

/** After a round that was woken, so that many wakes are one. */
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
    // Without a reason it makes an exception each time, also where it sleeps no more: a cost of every run.
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
