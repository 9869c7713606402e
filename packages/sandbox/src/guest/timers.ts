export type Timers = {
  setTimeout(run: (...given: unknown[]) => void, ms?: unknown, ...given: unknown[]): number;
  setInterval(run: (...given: unknown[]) => void, ms?: unknown, ...given: unknown[]): number;
  clear(id: unknown): void;
  /** A timer is due. */
  fire(id: number): void;
};

/** Tells the host to wait; `ms` of -1 cancels the wait. */
export type Wait = (id: number, ms: number) => void;

/** Runs inside QuickJS, from its source text: it may refer to nothing outside itself. The host keeps the time. */
export function createTimers(wait: Wait): Timers {
  type Timer = { run: () => void; everyMs: number | undefined };
  const timers = new Map<number, Timer>();
  let last = 0;

  const start = (run: unknown, ms: unknown, isRepeated: boolean, given: unknown[]) => {
    if (typeof run !== "function") throw new TypeError("A timer takes a function.");
    if (timers.size >= 1_000) throw new RangeError("The code may have 1000 timers at a time at most.");
    const waitMs = Math.max(1, Number(ms) || 0);
    last += 1;
    timers.set(last, { run: () => run(...given), everyMs: isRepeated ? waitMs : undefined });
    wait(last, waitMs);
    return last;
  };
  return {
    setTimeout: (run, ms, ...given) => start(run, ms, false, given),
    setInterval: (run, ms, ...given) => start(run, ms, true, given),
    clear(id) {
      if (timers.delete(Number(id))) wait(Number(id), -1);
    },
    fire(id) {
      const timer = timers.get(id);
      if (timer === undefined) return;
      if (timer.everyMs === undefined) timers.delete(id);
      else wait(id, timer.everyMs);
      timer.run();
    },
  };
}
