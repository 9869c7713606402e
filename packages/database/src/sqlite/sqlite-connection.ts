import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { CompiledQuery, QueryResult } from "kysely";

/** One connection to an SQLite file. Every call ends before it returns. */
export type SqliteConnection = {
  /** Runs one statement without parameters. */
  run(statement: string): void;
  /** Runs statements that are rarely needed, each to its end: `run` takes one step, which is less than some pragmas do. */
  runToEnd(statements: string): void;
  execute<R>(query: Pick<CompiledQuery<R>, "sql" | "parameters">): QueryResult<R>;
  isInTransaction(): boolean;
  close(): void;
};

export type SqliteConnectionOptions = {
  path: string;
  readOnly?: boolean;
  /** Prepared statements kept, the least recently used goes first. Default 500. */
  maxStatements?: number;
};

type Prepared = { statement: StatementSync; returnsRows: boolean };

/** How long a statement waits for another connection's lock, such as a backup's. */
const busyTimeoutMs = 5_000;

/** Pages kept in memory, at most and as they are read; with SQLite's own 2 MiB, a count reads its index from the file each time. */
const cacheKib = 32 * 1024;

export function openSqliteConnection({ path, readOnly = false, maxStatements = 500 }: SqliteConnectionOptions) {
  const database = new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  database.exec(`pragma cache_size = -${cacheKib}`);
  const prepared = new Map<string, Prepared>();

  function prepare(text: string): Prepared {
    const known = prepared.get(text);
    if (known !== undefined) {
      // A map keeps insertion order: moving an entry to the end makes the first one the least recently used.
      prepared.delete(text);
      prepared.set(text, known);
      return known;
    }
    const statement = database.prepare(text);
    const made = { statement, returnsRows: statement.columns().length > 0 };
    prepared.set(text, made);
    if (prepared.size > maxStatements) prepared.delete(prepared.keys().next().value ?? "");
    return made;
  }

  const connection: SqliteConnection = {
    run(text) {
      prepare(text).statement.run();
    },
    runToEnd: (text) => database.exec(text),
    execute<R>(query: Pick<CompiledQuery<R>, "sql" | "parameters">): QueryResult<R> {
      const { statement, returnsRows } = prepare(query.sql);
      const parameters = query.parameters as SQLInputValue[];
      if (returnsRows) return { rows: statement.all(...parameters).map(toPlainRow) as R[] };
      const { changes, lastInsertRowid } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
    isInTransaction: () => database.isTransaction,
    close: () => database.close(),
  };
  return connection;
}

/** SQLite's rows have no prototype; PostgreSQL's are plain objects, and so are these. */
function toPlainRow<T extends object>(row: T): T {
  return { ...row };
}
