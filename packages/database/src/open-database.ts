import type { Database } from "./database.ts";
import { StorageError } from "./storage-error.ts";
import type { StorageLogger } from "./storage-logger.ts";
import { assertNoUnfinishedRestore } from "./unfinished-restore.ts";

export type StorageOptions = {
  /** Empty: SQLite in `dataDir`. Else a `postgres://` or `postgresql://` address. */
  databaseUrl: string;
  dataDir: string;
  logger?: StorageLogger;
};

/**
 * Opens the database and brings its schema up to date.
 * Rejects with `StorageError`, whose message is for the operator, when it cannot be used.
 */
export async function openDatabase({ databaseUrl, dataDir, logger }: StorageOptions): Promise<Database> {
  assertNoUnfinishedRestore(dataDir);
  // Each driver is loaded where it is used: the other one costs start time.
  if (databaseUrl === "") {
    const { openSqliteDatabase } = await import("./sqlite/open-sqlite-database.ts");
    return openSqliteDatabase(dataDir);
  }
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) {
    const { openPostgresDatabase } = await import("./postgres/open-postgres-database.ts");
    return openPostgresDatabase({ databaseUrl, logger });
  }
  throw new StorageError(
    "DATABASE_URL must start with postgres:// or postgresql://. Leave it empty to keep the data in DATA_DIR.",
  );
}
