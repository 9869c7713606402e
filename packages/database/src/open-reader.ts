import { join } from "node:path";
import type { Kysely } from "kysely";
import type { Database } from "./database.ts";
import type { StorageOptions } from "./open-database.ts";
import type { Tables } from "./tables.ts";

/** Reads the platform's database over connections of its own. */
export type DatabaseReader = {
  readonly dialect: Database["dialect"];
  readonly read: Kysely<Tables>;
  close(): Promise<void>;
};

/** Connections of one reader to PostgreSQL. */
const maxConnections = 4;

/**
 * For a worker thread, whose reads must not stop the event loop of the process. The database must be open already in the
 * process: this one neither creates nor migrates anything, and sees what was committed.
 */
export async function openReader({ databaseUrl, dataDir }: Omit<StorageOptions, "logger">): Promise<DatabaseReader> {
  if (databaseUrl !== "") {
    const { connectPostgres } = await import("./postgres/connect-postgres.ts");
    const { createRetryingReader } = await import("./postgres/retrying-reader.ts");
    const db = connectPostgres<Tables>({ connectionString: databaseUrl, max: maxConnections });
    return { dialect: "postgres", read: createRetryingReader(db), close: () => db.destroy() };
  }
  const { openSqliteConnection } = await import("./sqlite/sqlite-connection.ts");
  const { createSqliteHandles } = await import("./sqlite/sqlite-handle.ts");
  const connection = openSqliteConnection({ path: join(dataDir, "weft.db"), readOnly: true });
  return {
    dialect: "sqlite",
    read: createSqliteHandles(connection).createReader(),
    close: async () => connection.close(),
  };
}
