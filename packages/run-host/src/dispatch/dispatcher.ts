import type { Signals } from "@weft/database";

/**
 * Tells processes that runs are ready. Nothing depends on it: which run is ready, and who works on it, is in the database
 * alone, so what it says may be lost, come late, or twice.
 */
export type Dispatcher = {
  /** A run is ready, durably. Never waits, never throws. */
  announce(runId: string): void;
  /**
   * Calls `wake` here or in another process for what is announced anywhere. `wake` resolves when this process can take
   * something on again; what it rejects with is lost.
   */
  onWake(wake: () => Promise<void>): void;
  /** Nothing wakes this process any more. */
  close(): Promise<void>;
};

/** What is announced within this time goes out as one message. */
const gatherMs = 5;

/** Wakes every process on the database, through its own signals. */
export function createDatabaseDispatcher(signals: Pick<Signals, "tell" | "hear">): Dispatcher {
  let timer: NodeJS.Timeout | undefined;
  let stopHearing = (): void => undefined;
  return {
    announce(runId) {
      timer ??= setTimeout(() => {
        timer = undefined;
        signals.tell("run-ready", runId);
      }, gatherMs);
    },
    onWake(wake) {
      stopHearing = signals.hear("run-ready", () => void wake().catch(() => undefined));
    },
    async close() {
      stopHearing();
      // What was announced goes out before the connection ends; a poll would find it, too.
      if (timer !== undefined) {
        clearTimeout(timer);
        signals.tell("run-ready", "");
      }
    },
  };
}
