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
  let timer: NodeJS.Timeout | undefined;

  function take(): void {
    before = last;
    last = histogram.count === 0 ? 0 : Math.max(0, histogram.percentile(99) / 1e6 - resolutionMs);
    histogram.reset();
  }

  return {
    lateMs: () => Math.min(before, last),
    start() {
      histogram.enable();
      timer ??= setInterval(take, windowMs).unref();
    },
    stop() {
      histogram.disable();
      clearInterval(timer);
    },
  };
}
