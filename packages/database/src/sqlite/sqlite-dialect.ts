import {
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { SqliteConnection } from "./sqlite-connection.ts";

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
export function toKyselyConnection(connection: SqliteConnection): DatabaseConnection {
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
