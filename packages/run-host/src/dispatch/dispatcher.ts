import type { Signals } from "@weft/database";

/** `runs`: runs are ready. `due`: the moment has come for what waits for one, such as a run, a callback or a schedule. */
export type Work = "runs" | "due";

/**
 * Tells processes that there is work. Nothing depends on it: what is to be done, and who does it, is in the database
 * alone, so what it says may be lost, come late, or twice.
 */
export type Dispatcher = {
  /**
   * Some work can be done, durably: now, or from `at` on, in milliseconds since the epoch. What is further away than
   * `farMs` is not announced. Never waits, never throws.
   */
  announce(work: Work, at?: number): void;
  /**
   * Calls `wake` here or in another process for what is announced anywhere, until the returned function is called. `wake`
   * resolves when this process can take something on again; what it rejects with is lost.
   */
  onWake(work: Work, wake: () => Promise<void>): () => void;
  /** No process is woken by this one any more, and nothing wakes it. */
  close(): Promise<void>;
};

/** Those who look every second find what is due later. */
export const farMs = 3_600_000;
/** What is announced within this time goes out as one message. */
const gatherMs = 5;

/** Wakes every other process on the database through its signals, and this one too for what is due. */
export function createDatabaseDispatcher(signals: Pick<Signals, "tell" | "hear">): Dispatcher {
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
      // What was announced goes out before the connection ends; a poll would find it, too.
      if (timer !== undefined) {
        clearTimeout(timer);
        tell("runs");
      }
    },
  };
}

const works: readonly Work[] = ["runs", "due"];
const topics = { runs: "run-ready", due: "work-due" } as const satisfies Record<Work, string>;

/** Moments this close to each other are one. */
const stepMs = 50;
/** Bounds the timers of a process. */
const mostMoments = 10_000;

/** The moment with which one that is announced is told, or none for one that is too far away. */
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
      // A timer may come a little early.
      timers.set(step, setTimeout(come, step - now + 2).unref());
    },
    clear(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
