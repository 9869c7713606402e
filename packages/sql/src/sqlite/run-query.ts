import { constants, DatabaseSync } from "node:sqlite";
import type { SqlResult } from "@weft/engine/ports/sql-client";
import type { Json } from "@weft/schema";
import { collectRows } from "../collect-rows.ts";
import { codeOf, toJsonValue, toParameter, wordsOf } from "../driver.ts";
import { type Advice, toFailure } from "../failure.ts";
import type { StatementJob } from "../process/protocol.ts";
import { isNothing, readStatement } from "../statement.ts";

/** Another process may be writing. */
const busyTimeoutMs = 3_000;

/** Memory of SQLite for sorting and grouping, and its cache. Nothing goes to a temporary file. */
const maxSqliteBytes = 256 * 1024 * 1024;

/** No other file, no text or blob that the reply could not hold, and no statement that takes long to parse. */
const limits = { attach: 0, length: 16 * 1024 * 1024, sqlLength: 1024 * 1024, likePatternLength: 1_000 };

/** Opens the file, runs the statement, and closes it. Throws `SqlFailure` for what SQLite rejects. */
export function runQuery({ file, job }: { file: string; job: StatementJob }): SqlResult {
  const { text } = readStatement("sqlite", job.statement, job.parameters.length);
  let database: DatabaseSync | undefined;
  try {
    const readOnly = job.access === "read";
    const options = { readOnly, readBigInts: true, returnArrays: true, timeout: busyTimeoutMs, limits };
    database = new DatabaseSync(file, options);
    database.exec(`pragma hard_heap_limit = ${maxSqliteBytes}; pragma temp_store = memory`);
    database.exec(readOnly ? "pragma query_only = 1" : "pragma foreign_keys = 1");
    database.setAuthorizer(authorise(readOnly));
    return run(database, text, job);
  } catch (error) {
    throw toFailure(error, advice, job);
  } finally {
    database?.close();
  }
}

function run(database: DatabaseSync, text: string, job: StatementJob): SqlResult {
  const sink = collectRows(job);
  const statement = database.prepare(text);
  if (!isNothing("sqlite", text.slice(statement.sourceSQL.length))) throw toFailure(undefined, () => "one", job);
  const bound = Object.fromEntries(job.parameters.map((value, index) => [`$${index + 1}`, toBound(value)]));
  const columns = statement.columns().map(({ name }) => name);
  sink.columns(columns);
  if (columns.length === 0) return sink.result({ changedRows: Number(statement.run(bound).changes) });
  for (const values of statement.iterate(bound)) {
    // An array, as `returnArrays` says: an object would lose all but one of two columns of a name.
    if (!sink.row(Object.values(values).map(toJsonValue))) break;
  }
  return sink.result({});
}

function toBound(value: Json): string | number | null {
  const parameter = toParameter(value);
  return typeof parameter === "boolean" ? Number(parameter) : parameter;
}

const reads = new Set([constants.SQLITE_SELECT, constants.SQLITE_READ, constants.SQLITE_RECURSIVE]);

/** Actions that change rows and tables. The rest, such as other files, transactions and modules, is always refused. */
const changes = new Set([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
  constants.SQLITE_CREATE_TABLE,
  constants.SQLITE_CREATE_INDEX,
  constants.SQLITE_CREATE_VIEW,
  constants.SQLITE_DROP_TABLE,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_VIEW,
  constants.SQLITE_ALTER_TABLE,
  constants.SQLITE_REINDEX,
  constants.SQLITE_ANALYZE,
]);

/** Pragmas that describe tables. */
const pragmas = new Set(["table_info", "table_xinfo", "table_list", "index_list", "index_info", "foreign_key_list"]);
const refusedFunctions = new Set(["load_extension", "fts3_tokenizer"]);

function authorise(readOnly: boolean): NonNullable<Parameters<DatabaseSync["setAuthorizer"]>[0]> {
  return (action, first, second) => {
    const allowed =
      reads.has(action) ||
      (action === constants.SQLITE_FUNCTION && !refusedFunctions.has(second ?? "")) ||
      (action === constants.SQLITE_PRAGMA && pragmas.has(first ?? "")) ||
      (!readOnly && changes.has(action));
    return allowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
  };
}

/** Source: https://www.sqlite.org/rescode.html */
function advice(error: unknown): Advice {
  if (codeOf(error) === "ERR_INVALID_ARG_VALUE") return "syntax";
  const result = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  if (result === 1) return /^no such (table|column)/.test(wordsOf(error)) ? "schema" : "syntax";
  return byResult[result] ?? "none";
}

const byResult: Readonly<Record<number, Advice>> = {
  5: "passing",
  6: "passing",
  7: "memory",
  8: "read-only",
  23: "read-only",
};
