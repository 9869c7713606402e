import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { lockDirectory } from "./directory-lock.ts";

export type SqliteSpace = {
  fileBytes: number;
  /** Of the file, for new rows. */
  freeBytes: number;
  /** Whether the server gives free space back while it works. */
  givesBack: boolean;
};

export function readSpace(path: string): SqliteSpace {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const numberOf = (pragma: string) => Number(database.prepare(`pragma ${pragma}`).get()?.[pragma] ?? 0);
    const pageBytes = numberOf("page_size");
    return {
      fileBytes: numberOf("page_count") * pageBytes,
      freeBytes: numberOf("freelist_count") * pageBytes,
      givesBack: numberOf("auto_vacuum") !== 0,
    };
  } finally {
    database.close();
  }
}

/**
 * Rewrites the database without its free pages; from then on the server gives space back while it works. Throws
 * `StorageError` while another process uses the directory.
 */
export function compactSqliteDatabase(dataDir: string): void {
  const lock = lockDirectory(dataDir);
  try {
    const database = new DatabaseSync(join(dataDir, "weft.db"), { timeout: 5_000 });
    try {
      database.exec("pragma auto_vacuum = incremental; vacuum; pragma wal_checkpoint(truncate)");
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}
