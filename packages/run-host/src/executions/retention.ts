import type { Database } from "@weft/database";
import type { Clock } from "@weft/engine";
import type { Logger } from "@weft/http";
import { createPayloadRetention } from "../journal/index.ts";
import { createPoller, type Poller } from "../poller.ts";
import type { ExecutionControl } from "./execution-control.ts";

export type RetentionDeps = {
  database: Database;
  control: Pick<ExecutionControl, "removeEndedBefore">;
  clock: Clock;
  logger: Logger;
  /** After their end; 0: runs are kept forever. */
  executionRetentionMs: number;
  /** After the end of the run; 0: as long as the run. */
  payloadRetentionMs: number;
};

const everyMs = 10 * 60_000;
/** Between two batches, so that other writers are never kept waiting for long. */
const pauseMs = 50;

/**
 * Deletes runs that ended too long ago and removes the large inputs and outputs of others, in small batches, and gives the
 * space back. What goes on or waits for a person is never old.
 */
export function createRetention(deps: RetentionDeps): Poller {
  const { database, control, clock, logger, executionRetentionMs, payloadRetentionMs } = deps;
  const payloads = createPayloadRetention(database, payloadRetentionMs);
  return createPoller({
    clock,
    everyMs,
    async round(signal) {
      const repeat = async (work: () => Promise<boolean>) => {
        while (!signal.aborted && (await work())) await clock.sleep(pauseMs, signal);
      };
      if (executionRetentionMs > 0) await repeat(() => control.removeEndedBefore(clock.now() - executionRetentionMs));
      if (payloadRetentionMs > 0) await repeat(() => payloads.removeSome(clock.now(), signal));
      await repeat(() => database.giveBackSpace());
    },
    onFailure: (cause) => logger.error("retention-failed", { cause }),
  });
}
