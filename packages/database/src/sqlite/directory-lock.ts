import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageError } from "../storage-error.ts";
import { keepPrivate } from "./private-file.ts";

/** Held while this process owns the data directory. The operating system releases it when the process dies. */
export type DirectoryLock = { release(): void };

/**
 * Locks the data directory for this process. Throws `StorageError` if another one has it.
 * The lock is SQLite's own, on a separate file: it does not block backups and readers of the database.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, "lock.db");
  keepPrivate(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("begin exclusive");
  } catch (cause) {
    database.close();
    throw new StorageError(
      `Another Weft process uses the data directory ${directory}. Stop that process first, or give this one its own DATA_DIR; several processes can share one PostgreSQL through DATABASE_URL.`,
      cause,
    );
  }
  return { release: () => database.close() };
}
