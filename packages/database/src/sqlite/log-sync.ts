import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

/**
 * Brings SQLite's write-ahead log to the disk without stopping the event loop.
 *
 * With `synchronous = normal` COMMIT writes the log and does not wait for the disk; SQLite itself waits for it before
 * it copies the log into the database file, so the file is always whole. What was committed before `sync` was called is
 * on the disk when it resolves: the promise of `synchronous = full`, kept beside the loop instead of inside it.
 */
export type LogSync = {
  /** Rejects when the disk refuses: then nothing is known of what was written since the last success. */
  sync(): Promise<void>;
  close(): void;
};

/** `path` is that of the database; its log must exist, and does after the first write. */
export function openLogSync(path: string): LogSync {
  const log = openSync(`${path}-wal`, "r+");
  const syncLog = promisify(fdatasync);
  return { sync: () => syncLog(log), close: () => closeSync(log) };
}
