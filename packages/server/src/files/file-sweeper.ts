import type { Clock } from "@weft/engine";
import type { Logger } from "@weft/http";
import { createPoller, type Poller } from "@weft/run-host";
import type { FileService } from "./file.service.ts";

export type FileSweeperDeps = {
  files: Pick<FileService, "removeAbandoned">;
  clock: Clock;
  logger: Logger;
  /** How long files stay in a chat that does not begin. */
  unsentFilesMs: number;
  /** How long runs are kept; 0: forever. Files are deleted when their chat has no run left. */
  executionRetentionMs: number;
};

const everyMs = 10 * 60_000;
/** Between two batches, so that other writers are never kept waiting for long. */
const pauseMs = 50;

/** Deletes files that no longer belong to a chat, in small batches. */
export function createFileSweeper(deps: FileSweeperDeps): Poller {
  const { files, clock, logger, unsentFilesMs, executionRetentionMs } = deps;
  return createPoller({
    clock,
    everyMs,
    async round(signal) {
      const now = clock.now();
      const before = {
        unsentBefore: now - unsentFilesMs,
        ...(executionRetentionMs > 0 && { endedBefore: now - executionRetentionMs }),
      };
      while (!signal.aborted && (await files.removeAbandoned(before))) await clock.sleep(pauseMs, signal);
    },
    onFailure: (cause) => logger.error("file-sweep-failed", { cause }),
  });
}
