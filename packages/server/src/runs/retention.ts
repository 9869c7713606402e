import type { Clock } from "@weft/engine";
import type { Logger } from "../logger.ts";
import { createPoller, type Poller } from "../poller.ts";
import type { ExecutionControl } from "./execution-control.ts";

export type RetentionDeps = {
  control: Pick<ExecutionControl, "removeEndedBefore">;
  clock: Clock;
  logger: Logger;
  /** 0: runs are kept for ever. */
  retentionMs: number;
};

const everyMs = 10 * 60_000;
/** Between two batches, so that other writers are never kept waiting for long. */
const pauseMs = 50;

/** Deletes runs that ended too long ago, in small batches. Undefined where runs are kept for ever. */
export function createRetention({ control, clock, logger, retentionMs }: RetentionDeps): Poller | undefined {
  if (retentionMs === 0) return undefined;
  return createPoller({
    clock,
    everyMs,
    async round(signal) {
      while (!signal.aborted && (await control.removeEndedBefore(clock.now() - retentionMs))) {
        await clock.sleep(pauseMs, signal);
      }
    },
    onFailure: (cause) => logger.error("retention-failed", { cause }),
  });
}
