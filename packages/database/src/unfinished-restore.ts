import { existsSync } from "node:fs";
import { join } from "node:path";
import { StorageError } from "./storage-error.ts";

/** Present in the data folder while a restore changes it. */
export const unfinishedRestoreFile = "restore-unfinished";

/** Throws `StorageError` when a restore was interrupted during its changes: what is there matches no backup. */
export function assertNoUnfinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, unfinishedRestoreFile))) return;
  throw new StorageError(
    `A restore into ${dataDir} was interrupted. Run it again: npm run -s restore -- FOLDER --force.`,
  );
}
