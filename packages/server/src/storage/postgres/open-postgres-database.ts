import { type Kysely, sql } from "kysely";
import type { Database, WriteOptions } from "../database.ts";
import { migrate } from "../migrate.ts";
import { StorageError } from "../storage-error.ts";
import type { StorageLogger } from "../storage-logger.ts";
import type { Tables } from "../tables.ts";
import { createWriteScope } from "../write-scope.ts";
import { connectPostgres } from "./connect-postgres.ts";
import type { PostgresOptions } from "./postgres-options.ts";
import { createPostgresSignals, type PostgresSignals } from "./postgres-signals.ts";
import { retryConflicts } from "./retry-conflicts.ts";

/** Connections a process holds at most. */
const maxConnections = 10;
const oldestServer = 150_000;

/** Connects to PostgreSQL 15 or newer. Rejects with `StorageError` when it cannot be reached or used. */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const { databaseUrl, logger } = options;
  const db = connect(databaseUrl, logger);
  try {
    await assertUsable(db);
    await migrate(db as unknown as Kysely<unknown>, "postgres");
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return createDatabase(db, createPostgresSignals(options));
}

function connect(databaseUrl: string, logger: StorageLogger | undefined): Kysely<Tables> {
  try {
    return connectPostgres<Tables>({ connectionString: databaseUrl, max: maxConnections }, logger);
  } catch (cause) {
    throw new StorageError("DATABASE_URL is not a valid address: postgres://USER:PASSWORD@HOST:5432/DATABASE.", cause);
  }
}

async function assertUsable(db: Kysely<Tables>): Promise<void> {
  const facts = await readServerFacts(db);
  if (Number(facts.version) < oldestServer) {
    throw new StorageError("DATABASE_URL names a PostgreSQL older than 15. Upgrade it, or use another server.");
  }
  if (facts.encoding !== "UTF8") {
    throw new StorageError(
      `DATABASE_URL names a database with the encoding ${facts.encoding}. Create one with: createdb -E UTF8 -T template0 NAME.`,
    );
  }
}

async function readServerFacts(db: Kysely<Tables>): Promise<{ version: string; encoding: string }> {
  try {
    const { rows } = await sql<{ version: string; encoding: string }>`
      select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`.execute(
      db,
    );
    return rows[0] ?? { version: "0", encoding: "" };
  } catch (cause) {
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : "no connection";
    throw new StorageError(
      `PostgreSQL at DATABASE_URL cannot be used: ${reason}. Check the address, the password and that it runs.`,
      cause,
    );
  }
}

function createDatabase(db: Kysely<Tables>, signals: PostgresSignals): Database {
  const scope = createWriteScope();
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  function runWrite<T>(fn: (tx: Kysely<Tables>) => Promise<T>, { isolation }: WriteOptions): Promise<T> {
    const level = isolation === "read-committed" ? "read committed" : "serializable";
    const transaction = () => db.transaction().setIsolationLevel(level);
    return retryConflicts(() => transaction().execute((tx) => scope.run(() => fn(tx))));
  }

  return {
    dialect: "postgres",
    read: db,
    signals,
    async write(fn, options = {}) {
      scope.assertOutside();
      if (isClosed) throw new Error("The database is closed.");
      const write = runWrite(fn, options);
      underWay.add(write);
      try {
        return await write;
      } finally {
        underWay.delete(write);
      }
    },
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      await signals.close();
      await db.destroy();
    },
  };
}
