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
import type { Tables } from "../tables.ts";
import { toDatabaseFailure } from "../unavailability.ts";
import { retryRead } from "./retry-transaction.ts";

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
