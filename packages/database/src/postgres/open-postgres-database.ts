import { setTimeout as sleep } from "node:timers/promises";
import {
  type AbortableQueryOptions,
  type CompiledQuery,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryExecutor,
  type QueryResult,
  sql,
} from "kysely";
import type { PoolConfig } from "pg";
import type { Database, StorageLogger, WriteOptions } from "../database.ts";
import { migrate } from "../migrate.ts";
import { isConnectionLost, StorageError, toDatabaseFailure } from "../storage-error.ts";
import type { Tables } from "../tables.ts";
import { createWriteScope } from "../write-scope.ts";
import { connectPostgres, type PostgresOptions } from "./connect-postgres.ts";
import { createPostgresSignals, type PostgresSignals } from "./postgres-signals.ts";

/** Connections a process holds at most. */
const maxConnections = 10;
const oldestServer = 150_000;

/**
 * A process that stands still in a transaction, frozen or asleep, loses it, so that others get its rows before the leases
 * of its runs end. Transactions that wait for a row are retried. Settings in the address override these.
 */
const limits = { idle_in_transaction_session_timeout: 4_000, lock_timeout: 4_000 };

/** Connects to PostgreSQL 15 or newer. Rejects with `StorageError` when it cannot be reached or used. */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const { databaseUrl, logger } = options;
  // Without limits: migrations wait for those of other processes, and may take long.
  const opening = connect({ connectionString: databaseUrl, max: 1 }, logger);
  try {
    await assertUsable(opening);
    await migrate(opening as unknown as Kysely<unknown>, "postgres");
  } finally {
    await opening.destroy();
  }
  const db = connect({ connectionString: databaseUrl, max: maxConnections, ...limits }, logger);
  return createDatabase(db, createPostgresSignals(options));
}

function connect(config: PoolConfig, logger: StorageLogger | undefined): Kysely<Tables> {
  try {
    return connectPostgres<Tables>(config, logger);
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
    return retryTransaction(async (commits) => {
      let refusal: { cause: unknown } | undefined;
      const run = async (tx: Kysely<Tables>) => {
        try {
          return await scope.run(() => fn(tx));
        } catch (cause) {
          refusal = { cause };
          throw cause;
        }
      };
      try {
        return await transaction().execute(async (tx) => {
          const value = await run(tx);
          commits();
          return value;
        });
      } catch (error) {
        // A connection that has ended refuses the rollback, which would hide why there is one.
        throw refusal === undefined ? error : refusal.cause;
      }
    });
  }

  return {
    dialect: "postgres",
    read: createRetryingReader(db),
    signals,
    async write(fn, options = {}) {
      scope.assertOutside();
      if (isClosed) throw new Error("The database is closed.");
      const write = runWrite(fn, options);
      underWay.add(write);
      try {
        return await write;
      } catch (cause) {
        throw toDatabaseFailure(cause);
      } finally {
        underWay.delete(write);
      }
    },
    giveBackSpace: async () => false,
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      await signals.close();
      await db.destroy();
    },
  };
}

const maxAttempts = 8;

/** A conflict is over in milliseconds; a server that starts again takes seconds. Pauses double from these. */
const conflictPauseMs = 4;
const reconnectPauseMs = 50;

/**
 * `serialization_failure`, `deadlock_detected` and `lock_not_available`: the transaction lost against another, or waited
 * long for one, and changed nothing.
 */
const conflictCodes: readonly unknown[] = ["40001", "40P01", "55P03"];

/**
 * Runs a transaction again, up to eight times in all, with growing random pauses, while it loses against others or, for
 * at most 13 seconds, its connection. `commits` is called when the transaction is done except for its commit: whether a
 * commit took place that lost its connection is unknown, and it is not repeated.
 */
function retryTransaction<T>(transaction: (commits: () => void) => Promise<T>): Promise<T> {
  let isCommitting = false;
  return retry(
    () => {
      isCommitting = false;
      return transaction(() => {
        isCommitting = true;
      });
    },
    (error) => isConflict(error) || (!isCommitting && isConnectionLost(error)),
  );
}

/** As `retryTransaction`, for a query that changes nothing. */
function retryRead<T>(query: () => Promise<T>): Promise<T> {
  return retry(query, isConnectionLost);
}

async function retry<T>(attempt: () => Promise<T>, mayRepeat: (error: unknown) => boolean): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (count === maxAttempts || !mayRepeat(error)) throw error;
      await sleep(Math.random() * (isConflict(error) ? conflictPauseMs : reconnectPauseMs) * 2 ** count);
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && "code" in error && conflictCodes.includes(error.code);
}

/** Reads over the connections of `db`. A query whose connection ends is asked again over another one. */
export function createRetryingReader(db: Kysely<Tables>): Kysely<Tables> {
  const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error("A reader has no pool of its own.")) });
  const executor = new RetryingExecutor(db.getExecutor());
  return new Kysely<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
}

class RetryingExecutor extends DefaultQueryExecutor {
  constructor(executor: QueryExecutor) {
    super(new PostgresQueryCompiler(), new PostgresAdapter(), executor);
  }

  override async executeQuery<R>(query: CompiledQuery, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    try {
      return await retryRead(() => super.executeQuery<R>(query, options));
    } catch (cause) {
      throw toDatabaseFailure(cause);
    }
  }
}
