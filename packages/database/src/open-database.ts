import { existsSync } from "node:fs";
import { access, constants, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Kysely } from "kysely";
import type { Database, StorageLogger } from "./database.ts";
import type { LineTimes } from "./line-times.ts";
import { StorageError } from "./storage-error.ts";
import type { Tables } from "./tables.ts";

export type StorageOptions = {
  /** Empty: SQLite in `dataDir`. Else a `postgres://` or `postgresql://` address. */
  databaseUrl: string;
  dataDir: string;
  /** Connections to PostgreSQL, at least four. Default 11. */
  poolSize?: number;
  logger?: StorageLogger;
  /** Overrides for the timing of connection checks. */
  times?: Partial<LineTimes>;
};

/**
 * Opens the database and migrates its schema.
 * Rejects with `StorageError`, whose message is for the operator, if it cannot be used.
 */
export async function openDatabase({
  databaseUrl,
  dataDir,
  poolSize,
  logger,
  times,
}: StorageOptions): Promise<Database> {
  assertNoUnfinishedRestore(dataDir);
  // Each driver is loaded on use: the other one would cost start time.
  if (databaseUrl === "") {
    const { openSqliteDatabase } = await import("./sqlite/open-sqlite-database.ts");
    return openSqliteDatabase(dataDir);
  }
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) {
    const { openPostgresDatabase } = await import("./postgres/index.ts");
    return openPostgresDatabase({ databaseUrl, poolSize, logger, times });
  }
  throw new StorageError(
    "DATABASE_URL must start with postgres:// or postgresql://. Leave it empty to keep the data in DATA_DIR.",
  );
}

/** Present in the data folder while a restore changes it. */
export const unfinishedRestoreFile = "restore-unfinished";

/** Throws `StorageError` if a restore was interrupted during its changes: the data then matches no backup. */
function assertNoUnfinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, unfinishedRestoreFile))) return;
  throw new StorageError(
    `A restore into ${dataDir} was interrupted. Run it again: npm run -s restore -- FOLDER --force.`,
  );
}

/** Reads the platform's database over connections of its own. */
export type DatabaseReader = {
  readonly dialect: Database["dialect"];
  readonly read: Kysely<Tables>;
  close(): Promise<void>;
};

/** Connections of one reader to PostgreSQL. */
const maxConnections = 4;

/**
 * For a worker thread, whose reads must not block the event loop of the process. The database must already be open in
 * the process: this one neither creates nor migrates anything, and sees committed data.
 */
export async function openReader({ databaseUrl, dataDir }: StorageOptions): Promise<DatabaseReader> {
  if (databaseUrl !== "") {
    const { connectPostgres, createRetryingReader } = await import("./postgres/index.ts");
    const db = connectPostgres<Tables>({ connectionString: databaseUrl, max: maxConnections });
    return { dialect: "postgres", read: createRetryingReader(db), close: () => db.destroy() };
  }
  const { openSqliteConnection } = await import("./sqlite/sqlite-handle.ts");
  const { createSqliteHandles } = await import("./sqlite/sqlite-handle.ts");
  const connection = openSqliteConnection({ path: join(dataDir, "weft.db"), readOnly: true });
  return {
    dialect: "sqlite",
    read: createSqliteHandles(connection).createReader(),
    close: async () => connection.close(),
  };
}

/**
 * Creates the data directory, readable only by its owner; an existing one keeps its permissions. Resolves with whether
 * other users can read it. Rejects with `StorageError` if it cannot be used.
 */
export async function prepareDirectory(dataDir: string): Promise<{ isOpenToOthers: boolean }> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return { isOpenToOthers: process.platform !== "win32" && ((await stat(dataDir)).mode & 0o007) !== 0 };
  } catch (cause) {
    throw new StorageError(
      `The data directory ${dataDir} cannot be used: ${explain(cause)}. Set DATA_DIR to a folder that this user may write.`,
      cause,
    );
  }
}

function explain(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "EEXIST" || code === "ENOTDIR") return "a file is in its place";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "this user may not write there";
  return cause instanceof Error ? cause.message : String(cause);
}
