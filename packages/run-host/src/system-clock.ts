import type { Clock } from "@weft/engine/ports/clock";

/** Longest delay that a timer accepts; a longer sleep ends then, after 24 days. */
const maxTimerMs = 2_147_483_647;

export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(
        () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
        Math.min(ms, maxTimerMs),
      );
      signal.addEventListener("abort", onAbort, { once: true });
    });
  },
};
