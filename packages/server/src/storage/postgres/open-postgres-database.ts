import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import type { Database, WriteOptions } from "../database.ts";
import { migrate } from "../migrate.ts";
import { StorageError } from "../storage-error.ts";
import type { StorageLogger } from "../storage-logger.ts";
import type { Tables } from "../tables.ts";
import { createWriteScope } from "../write-scope.ts";
import { createCurrentSchemaIntrospector } from "./current-schema-introspector.ts";
import { toPostgresText } from "./nul-safe-text.ts";
import { resultTypes } from "./result-types.ts";
import { retryConflicts } from "./retry-conflicts.ts";

export type PostgresOptions = { databaseUrl: string; logger?: StorageLogger | undefined };

/** Connections a process holds at most. */
const maxConnections = 10;
/** How long to wait for a connection: the server's answer, or another request's release. */
const connectTimeoutMs = 10_000;
const oldestServer = 150_000;

/** Connects to PostgreSQL 15 or newer. Rejects with `StorageError` when it cannot be reached or used. */
export async function openPostgresDatabase({ databaseUrl, logger }: PostgresOptions): Promise<Database> {
  const pool = createPool(databaseUrl);
  // Without a listener a connection that breaks while idle would end the process; the pool replaces it by itself.
  pool.on("error", (error) => logger?.error("database-connection-lost", { cause: error }));
  const db = new Kysely<Tables>({ dialect: new CurrentSchemaDialect(createDialectConfig(pool)) });
  try {
    await assertUsable(db);
    await migrate(db as unknown as Kysely<unknown>, "postgres");
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return createDatabase(db);
}

class CurrentSchemaDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>) {
    return createCurrentSchemaIntrospector(db);
  }
}

function createPool(databaseUrl: string): Pool {
  try {
    return new Pool({
      connectionString: databaseUrl,
      max: maxConnections,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: "weft",
      keepAlive: true,
      types: resultTypes,
    });
  } catch (cause) {
    throw new StorageError("DATABASE_URL is not a valid address: postgres://USER:PASSWORD@HOST:5432/DATABASE.", cause);
  }
}

function createDialectConfig(pool: Pool): ConstructorParameters<typeof PostgresDialect>[0] {
  return {
    pool,
    onCreateConnection: async (connection) => {
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query) => execute({ ...query, parameters: query.parameters.map(toPostgresParameter) });
    },
  };
}

function toPostgresParameter(value: unknown): unknown {
  return typeof value === "string" ? toPostgresText(value) : value;
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

function createDatabase(db: Kysely<Tables>): Database {
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
      await db.destroy();
    },
  };
}
