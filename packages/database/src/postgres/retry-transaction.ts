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
} from "kysely";
import { isConnectionLost, toDatabaseFailure } from "../storage-error.ts";
import type { Tables } from "../tables.ts";

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
export function retryTransaction<T>(transaction: (commits: () => void) => Promise<T>): Promise<T> {
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
