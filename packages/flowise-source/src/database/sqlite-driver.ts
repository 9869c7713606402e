import { stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { FlowiseSourceError } from "../flowise-source-error.ts";
import { type Dialect, type Driver, quoteDouble } from "./driver.ts";

const sql: Dialect = {
  columns: `select m.name as "table", c.name as "column" from sqlite_schema m join pragma_table_info(m.name) c
    where m.type = 'table'`,
  quote: quoteDouble,
  key: "cast(rowid as text)",
  hasKey: "rowid in (select cast(value as integer) from json_each(?))",
  toText: (column) => column,
  byText: (column) => column,
  byMoment: (column) => `strftime('%Y-%m-%d %H:%M:%f', ${column})`,
  byNumber: (column) => column,
};

/** Flowise may be writing. */
const busyTimeoutMs = 10_000;

/** Opens a file read-only, in WAL mode or not, in a folder that may be read-only. */
export async function openSqlite(path: string): Promise<Driver> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EACCES") throw new FlowiseSourceError(`${path} may not be read by this user.`);
    throw new FlowiseSourceError(`There is no file ${path}. Name the database of Flowise, usually database.sqlite.`);
  });
  if (found.isDirectory()) {
    throw new FlowiseSourceError(`${path} is a folder. Name the database in it, usually database.sqlite.`);
  }
  return createDriver(path, await begin(path));
}

async function begin(path: string): Promise<DatabaseSync> {
  try {
    return beginAt(path);
  } catch (error) {
    // A database in WAL mode needs files beside it, which a read-only folder does not allow.
    if (codeOf(error) !== codes.cannotOpen || (await hasChanges(`${path}-wal`))) throw toFailure(path, error);
  }
  try {
    const address = pathToFileURL(path);
    address.searchParams.set("immutable", "1");
    return beginAt(address);
  } catch (error) {
    throw toFailure(path, error);
  }
}

function beginAt(location: string | URL): DatabaseSync {
  const database = new DatabaseSync(location, { readOnly: true, timeout: busyTimeoutMs, readBigInts: true });
  try {
    database.exec("begin");
    // A transaction starts with its first statement.
    database.prepare("select count(*) from sqlite_schema").get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function hasChanges(path: string): Promise<boolean> {
  return ((await stat(path).catch(() => undefined))?.size ?? 0) > 0;
}

function createDriver(path: string, database: DatabaseSync): Driver {
  return {
    kind: "sqlite",
    sql,
    async select(statement, parameters = []) {
      try {
        const given = parameters.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
        return database.prepare(statement).all(...given);
      } catch (error) {
        throw toFailure(path, error);
      }
    },
    async close() {
      if (database.isOpen) database.close();
    },
  };
}

/** Source: https://www.sqlite.org/rescode.html */
const codes = { busy: 5, readOnly: 8, damaged: 11, cannotOpen: 14, notDatabase: 26 };

function codeOf(error: unknown): number {
  const isSqlite = error instanceof Error && "errcode" in error && typeof error.errcode === "number";
  return isSqlite ? Number(error.errcode) & 0xff : 0;
}

function toFailure(path: string, cause: unknown): FlowiseSourceError {
  const sentences: Record<number, string> = {
    [codes.busy]: `${path} is locked by another program. Stop Flowise, or try again.`,
    [codes.readOnly]: `Flowise was stopped while it wrote to ${path}. Start and stop it once, or copy the database with the file ${path}-journal to another folder and name the copy.`,
    [codes.damaged]: `${path} is damaged. Restore it from a backup, or repair it with: sqlite3 ${path} .recover`,
    [codes.cannotOpen]: `${path} cannot be opened. If there is a file ${path}-wal, copy both to a folder that can be written to, and name the copy.`,
    [codes.notDatabase]: `${path} is not a SQLite database.`,
  };
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new FlowiseSourceError(sentences[codeOf(cause)] ?? `${path} cannot be read: ${reason}`, { cause });
}
