import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { lockDirectory } from "./directory-lock.ts";
import { keepPrivate } from "./private-file.ts";

export type SqliteSpace = {
  fileBytes: number;
  /** Part of the file, for new rows. */
  freeBytes: number;
  /** The server returns free space while it runs. */
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
 * Rewrites the database without its free pages; from then on the server returns space while it runs. Throws
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

/**
 * Copies an SQLite database as it is at one moment into a new file, while others read and write it. The copy contains
 * everything committed before the call, and nothing deleted: it is written row by row. Returns the names of its schema
 * changes; throws if the copy is damaged.
 */
export function copySqliteDatabase(from: string, to: string): string[] {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
  try {
    keepPrivate(to);
    source.prepare("vacuum into ?").run(to);
  } finally {
    source.close();
  }
  return examine(to);
}

/** Nobody writes the copy: `immutable` avoids the files that SQLite puts beside a database in use. */
function examine(path: string): string[] {
  const copy = new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true });
  try {
    const { quick_check: found } = copy.prepare("pragma quick_check(1)").get() ?? {};
    if (found !== "ok") {
      throw new Error(
        `The database is damaged: ${String(found).replaceAll("\n", "; ")}. No backup was made. Restore an earlier one, or repair it.`,
      );
    }
    return copy
      .prepare("select name from kysely_migration order by name")
      .all()
      .map(({ name }) => String(name));
  } finally {
    copy.close();
  }
}
