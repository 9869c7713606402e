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
import type { Pool, PoolConfig } from "pg";
import type { Commit, Database, WriteOptions } from "../database.ts";
import { defaultLineTimes } from "../line-times.ts";
import { migrate } from "../migrate.ts";
import { StorageError, toDatabaseFailure } from "../storage-error.ts";
import { createTableChanges, type TableChanges } from "../table-changes.ts";
import type { Tables } from "../tables.ts";
import { createWriteScope } from "../write-scope.ts";
import { createCommitQueue } from "./commit-queue.ts";
import { connectPostgres, openPool, overPool, type PostgresOptions, type Watch } from "./connect-postgres.ts";
import { endDeadLines } from "./dead-lines.ts";
import { createPostgresSignals, type PostgresSignals } from "./postgres-signals.ts";
import { retryConflict, retryLost, retryTransaction } from "./retry.ts";

const defaultPoolSize = 11;

/**
 * Connections of a process: one listens, two commit (one, if there are few), and the others read and run transactions.
 * With fewer than four, a transaction and a read would wait for each other.
 */
function dividePool(size = defaultPoolSize): { commits: number; reads: number } {
  const commits = size < 8 ? 1 : 2;
  return { commits, reads: size - commits - 1 };
}

const oldestServer = 150_000;

/**
 * A process stalled in a transaction, frozen or asleep, loses it, so that others get its rows before the leases of its
 * runs end. Transactions that wait for a row are retried. Settings in the address override these.
 */
const limits = { idle_in_transaction_session_timeout: 4_000, lock_timeout: 4_000 };

/** Connects to PostgreSQL 15 or newer. Rejects with `StorageError` if it cannot be reached or used. */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const { databaseUrl, logger } = options;
  const { commits, reads: maxReads } = dividePool(options.poolSize);
  // Without limits: migrations wait for those of other processes, and may take long.
  const opening = connect({ connectionString: databaseUrl, max: 1 }, { logger });
  try {
    await assertUsable(opening);
    await migrate(opening as unknown as Kysely<unknown>, "postgres", retryConflict);
  } finally {
    await opening.destroy();
  }
  const shared = { connectionString: databaseUrl, ...limits };
  const changes = createTableChanges();
  const watch = { logger, onChange: changes.note, prepares: true };
  const reads = openPool({ ...shared, max: maxReads }, watch);
  const db = overPool<Tables>(reads);
  const pool = openPool({ ...shared, max: commits, pipeline: true }, watch);
  const times = { ...defaultLineTimes, ...options.times };
  for (const one of [reads, pool]) endDeadLines(one, databaseUrl, times);
  const signals = createPostgresSignals({ ...options, onHearing: changes.noteAll });
  signals.hear("table-changed", (table) => changes.note([table]));
  return createDatabase(db, pool, { signals, changes, pools: [reads, pool], flights: commits });
}

function connect(config: PoolConfig, watch: Watch): Kysely<Tables> {
  try {
    return connectPostgres<Tables>(config, watch);
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

type Shared = { signals: PostgresSignals; changes: TableChanges; pools: readonly Pool[]; flights: number };

function createDatabase(db: Kysely<Tables>, pool: Pool, { signals, changes, pools, flights }: Shared): Database {
  const scope = createWriteScope();
  const commits = createCommitQueue(pool, flights);
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
        // A closed connection rejects the rollback, which would hide the cause.
        throw refusal === undefined ? error : refusal.cause;
      }
    });
  }

  const read = createRetryingReader(db);
  return {
    dialect: "postgres",
    read,
    readLarge: read,
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
    async commit<R>(commit: Commit) {
      scope.assertOutside();
      if (isClosed) throw new Error("The database is closed.");
      return (await commits.commit(commit)) as R[];
    },
    changes: (tables) => (signals.isHearing() ? changes.count(tables) : undefined),
    giveBackSpace: async () => false,
    eraseDeleted: async () => undefined,
    connections() {
      const sum = (count: (pool: Pool) => number) => pools.reduce((total, one) => total + count(one), 0);
      const idle = sum((one) => one.idleCount);
      return { active: sum((one) => one.totalCount) - idle, idle, waiting: sum((one) => one.waitingCount) };
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      await commits.close();
      await signals.close();
      if (!pool.ending) await pool.end();
      await db.destroy();
    },
  };
}

/** Reads over the connections of `db`. A query whose connection ends is repeated over another one. */
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
      return await retryLost(() => super.executeQuery<R>(query, options));
    } catch (cause) {
      throw toDatabaseFailure(cause);
    }
  }
}
