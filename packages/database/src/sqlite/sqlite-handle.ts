import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
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
import { tablesWrittenBy } from "../table-changes.ts";
import type { Tables } from "../tables.ts";

/** A transaction's handle and the means to invalidate it. */
export type WriteHandle = { tx: Transaction<Tables>; end(): void };

/** Creates Kysely handles that reach the connection without a pool, a lock or more than one promise. */
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
      return this.#connection.execute<R>(query);
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

type SqlText<R> = Pick<CompiledQuery<R>, "sql" | "parameters">;

/** One connection to an SQLite file. Every call is synchronous. */
export type SqliteConnection = {
  /** Runs one statement without parameters. */
  run(statement: string): void;
  /** Runs rare statements to completion: `run` takes one step, which is not enough for some pragmas. */
  runToEnd(statements: string): void;
  execute<R>(query: SqlText<R>): QueryResult<R>;
  isInTransaction(): boolean;
  close(): void;
};

export type SqliteConnectionOptions = {
  path: string;
  readOnly?: boolean;
  /** Maximum page cache. Default 32 MiB; with SQLite's own 2 MiB, a count reads its index from the file each time. */
  cacheKib?: number;
  /** Prepared statements cached, least recently used evicted first. Default 500. */
  maxStatements?: number;
  /** Called after a commit with the tables that it may have changed. */
  onChange?(tables: Iterable<string>): void;
};

type Prepared = {
  statement: StatementSync;
  /** Of the rows that it returns; empty if it returns none. */
  columns: readonly string[];
  /** Other statements may return other columns afterwards. */
  changesSchema: boolean;
  writes: readonly string[];
};

/** How long a statement waits for another connection's lock, such as a backup's. */
const busyTimeoutMs = 5_000;

export function openSqliteConnection({
  path,
  readOnly = false,
  cacheKib = 32 * 1024,
  maxStatements = 500,
  onChange,
}: SqliteConnectionOptions) {
  const database = new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  database.exec(`pragma cache_size = -${cacheKib}`);
  const prepared = new Map<string, Prepared>();
  const touched = new Set<string>();

  function prepare(text: string): Prepared {
    const known = prepared.get(text);
    if (known !== undefined) {
      // A map keeps insertion order: moving an entry to the end makes the first one the least recently used.
      prepared.delete(text);
      prepared.set(text, known);
      return known;
    }
    const statement = database.prepare(text);
    // Rows of values cost a third of the library's objects, which have no prototype and are slow to copy.
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    const changesSchema = /^\s*(alter|create|drop)\s/i.test(text);
    const made = { statement, columns, changesSchema, writes: tablesWrittenBy(text) };
    prepared.set(text, made);
    if (prepared.size > maxStatements) prepared.delete(prepared.keys().next().value ?? "");
    return made;
  }

  const connection: SqliteConnection = {
    run(text) {
      const { statement, changesSchema } = prepare(text);
      statement.run();
      if (changesSchema) prepared.clear();
      if (text !== "commit" && text !== "rollback") return;
      if (text === "commit" && touched.size > 0) onChange?.(touched);
      touched.clear();
    },
    runToEnd: (text) => database.exec(text),
    execute<R>(query: SqlText<R>): QueryResult<R> {
      const { statement, columns, changesSchema, writes } = prepare(query.sql);
      for (const table of writes) touched.add(table);
      const parameters = query.parameters as SQLInputValue[];
      if (columns.length > 0) {
        const rows = statement.all(...parameters) as unknown as SQLOutputValue[][];
        return { rows: rows.map((values) => toRow(columns, values)) as R[] };
      }
      const { changes, lastInsertRowid } = statement.run(...parameters);
      if (changesSchema) prepared.clear();
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
    isInTransaction: () => database.isTransaction,
    close: () => database.close(),
  };
  return connection;
}

/** A plain object, like PostgreSQL's rows. */
function toRow(columns: readonly string[], values: readonly SQLOutputValue[]): Record<string, SQLOutputValue> {
  const row: Record<string, SQLOutputValue> = {};
  for (let index = 0; index < columns.length; index += 1)
    row[columns[index] as string] = values[index] as SQLOutputValue;
  return row;
}
