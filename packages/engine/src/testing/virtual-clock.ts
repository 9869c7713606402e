import type { Clock, IdSource } from "../ports/clock.ts";

/**
 * Time that passes only while everybody sleeps: the earliest sleeper wakes when the task queue is empty. Who waits for
 * a real server is asleep to it, too: such tests sleep `Infinity` where they mean no limit, which never ends.
 */
export function createVirtualClock(startMs = Date.UTC(2026, 0, 1)): Clock {
  let now = startMs;
  const sleepers: { at: number; wake: () => void }[] = [];
  let isScheduled = false;

  function advance(): void {
    isScheduled = false;
    sleepers.sort((a, b) => a.at - b.at);
    const next = sleepers.shift();
    if (!next) return;
    if (next.at === Number.POSITIVE_INFINITY) {
      sleepers.push(next);
      return;
    }
    now = Math.max(now, next.at);
    next.wake();
    schedule();
  }

  function schedule(): void {
    if (isScheduled || sleepers.length === 0) return;
    isScheduled = true;
    setTimeout(advance, 1);
  }

  return {
    now: () => now,
    elapsed: () => now - startMs,
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sleeper = { at: now + ms, wake: resolve };
      if (signal.aborted) reject(signal.reason);
      else {
        sleepers.push(sleeper);
        signal.addEventListener("abort", () => {
          const index = sleepers.indexOf(sleeper);
          if (index >= 0) sleepers.splice(index, 1);
          reject(signal.reason);
        });
        schedule();
      }
      return promise;
    },
  };
}

/** Ids that count: the same in every run of a test. */
export function createCountingIds(): IdSource {
  let count = 0;
  return { uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}` };
}
