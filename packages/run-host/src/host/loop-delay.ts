import { monitorEventLoopDelay } from "node:perf_hooks";

/** How late the event loop is that all work of this process shares. */
export type LoopDelay = {
  /**
   * What 99 of 100 moments of the last second stayed below, in milliseconds. A single stall is no load: both halves of
   * the second count, the lower one.
   */
  lateMs(): number;
  start(): void;
  stop(): void;
};

/** A timer each; its own share is subtracted. */
const resolutionMs = 10;
const windowMs = 500;

export function createLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  let before = 0;
  let last = 0;
  let takenAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function take(): void {
    const now = performance.now();
    before = last;
    // The first moment after a reset is not counted. Where no other came, one turn took all of the time.
    const seenMs = histogram.count === 0 ? now - takenAt : histogram.percentile(99) / 1e6;
    last = Math.max(0, seenMs - resolutionMs);
    histogram.reset();
    takenAt = now;
  }

  return {
    lateMs: () => Math.min(before, last),
    start() {
      takenAt = performance.now();
      histogram.enable();
      timer ??= setInterval(take, windowMs).unref();
    },
    stop() {
      histogram.disable();
      clearInterval(timer);
    },
  };
}
