import type { Signals } from "@weft/database";

/** `runs`: runs are ready. `due`: the moment has come for something, such as a run, a callback or a schedule. */
export type Work = "runs" | "due";

/**
 * Tells processes that there is work. Nothing depends on it: the database alone determines what to do and who does it,
 * so notices may be lost, late or duplicated.
 */
export type Dispatcher = {
  /**
   * Announces durable work: ready now, or from `at` on, in milliseconds since the epoch. Work later than `farMs` is not
   * announced. Never waits, never throws.
   */
  announce(work: Work, at?: number): void;
  /**
   * Calls `wake` here or in another process when work is announced anywhere, until the returned function is called.
   * `wake` resolves when this process can take more work; its rejections are ignored.
   */
  onWake(work: Work, wake: () => Promise<void>): () => void;
  /** This process neither wakes others nor is woken any more. */
  close(): Promise<void>;
};

/** Later work is found by the processes that poll every second. */
export const farMs = 3_600_000;
/** Announcements within this time are sent as one message. */
const gatherMs = 5;

/** Wakes every other process on the database through its signals, and this one too for due work. */
export function createDatabaseDispatcher(signals: Signals): Dispatcher {
  const listeners: Record<Work, Set<() => Promise<void>>> = { runs: new Set(), due: new Set() };
  const wakeHere = (work: Work) => {
    for (const wake of listeners[work]) wake().catch(() => undefined);
  };
  const endings = works.map((work) => signals.hear(topics[work], () => wakeHere(work)));
  const tell = (work: Work) => signals.tell(topics[work], "");
  let timer: NodeJS.Timeout | undefined;
  const moments = createMoments(() => {
    tell("due");
    wakeHere("due");
  });

  return {
    announce(work, at) {
      if (work === "due") return moments.add(at);
      timer ??= setTimeout(() => {
        timer = undefined;
        tell("runs");
      }, gatherMs);
    },
    onWake(work, wake) {
      listeners[work].add(wake);
      return () => void listeners[work].delete(wake);
    },
    async close() {
      for (const end of endings) end();
      for (const work of works) listeners[work].clear();
      moments.clear();
      // Send pending announcements before the connection closes; otherwise a poll finds the work.
      if (timer !== undefined) {
        clearTimeout(timer);
        tell("runs");
      }
    },
  };
}

const works: readonly Work[] = ["runs", "due"];
const topics = { runs: "run-ready", due: "work-due" } as const satisfies Record<Work, string>;

/** Moments this close together count as one. */
const stepMs = 50;
/** Limits the timers of a process. */
const mostMoments = 10_000;

/** Rounds a moment for announcement, or returns none if it is too far away. */
export function toStep(at: number, now: number): number | undefined {
  return at - now > farMs ? undefined : Math.ceil(Math.max(at, now) / stepMs) * stepMs;
}

function createMoments(onMoment: () => void) {
  const timers = new Map<number, NodeJS.Timeout>();
  return {
    add(at?: number): void {
      const now = Date.now();
      const step = toStep(at ?? now, now);
      if (step === undefined || timers.has(step) || timers.size >= mostMoments) return;
      const come = () => {
        timers.delete(step);
        onMoment();
      };
      // A timer may fire slightly early.
      timers.set(step, setTimeout(come, step - now + 2).unref());
    },
    clear(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
