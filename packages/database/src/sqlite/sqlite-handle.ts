import {
  type CompiledQuery,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type QueryResult,
  SingleConnectionProvider,
  Transaction,
} from "kysely";
import { toDatabaseFailure } from "../storage-error.ts";
import type { Tables } from "../tables.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { createSqliteDialect, toKyselyConnection } from "./sqlite-dialect.ts";

/** A transaction's handle and the means to make it useless. */
export type WriteHandle = { tx: Transaction<Tables>; end(): void };

/** Makes Kysely handles that reach the connection without a pool, a lock or more promises than one. */
export type SqliteHandles = {
  createReader(): Kysely<Tables>;
  createWriter(): WriteHandle;
};

export function createSqliteHandles(connection: SqliteConnection): SqliteHandles {
  const dialect = createSqliteDialect(connection);
  const shared = { config: { dialect }, dialect, driver: new DummyDriver() };
  const parts: ConstructorParameters<typeof DefaultQueryExecutor> = [
    dialect.createQueryCompiler(),
    dialect.createAdapter(),
    new SingleConnectionProvider(toKyselyConnection(connection)),
  ];
  return {
    createReader: () => new Kysely<Tables>({ ...shared, executor: new DirectExecutor(connection, parts) }),
    createWriter() {
      const executor = new DirectExecutor(connection, parts);
      return {
        tx: new Transaction<Tables>({ ...shared, executor }),
        end() {
          executor.isEnded = true;
        },
      };
    },
  };
}

class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: SqliteConnection;
  isEnded = false;

  constructor(connection: SqliteConnection, parts: ConstructorParameters<typeof DefaultQueryExecutor>) {
    super(...parts);
    this.#connection = connection;
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.isEnded) throw new Error("A write's handle was used after the write ended: wait for every query in it.");
    try {
      return this.#connection.execute(query as CompiledQuery<R>);
    } catch (cause) {
      throw toDatabaseFailure(cause);
    }
  }
}
