import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  type QueryResult,
  SingleConnectionProvider,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  Transaction,
} from "kysely";
import { toDatabaseFailure } from "../storage-error.ts";
import type { Tables } from "../tables.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

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

/** Kysely's SQLite dialect over one open connection. Destroying the Kysely leaves the connection open. */
export function createSqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => createSqliteDriver(connection),
    createIntrospector: (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** The connection as Kysely's executors see it. */
function toKyselyConnection(connection: SqliteConnection): DatabaseConnection {
  return {
    executeQuery: async (query) => connection.execute(query),
    streamQuery: () => {
      throw new Error("Streaming a query is not supported: read page by page.");
    },
  };
}

/** SQLite rolls back `create table` like any other statement, so a migration is all or nothing. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createSqliteDriver(connection: SqliteConnection): Driver {
  const kyselyConnection = toKyselyConnection(connection);
  return {
    init: async () => {},
    acquireConnection: async () => kyselyConnection,
    releaseConnection: async () => {},
    beginTransaction: async () => connection.run("begin immediate"),
    commitTransaction: async () => connection.run("commit"),
    rollbackTransaction: async () => connection.run("rollback"),
    destroy: async () => {},
  };
}
