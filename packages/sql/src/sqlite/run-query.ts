import { constants, DatabaseSync, type StatementSync } from "node:sqlite";
import type { Json } from "@weft/schema";
import { codeOf, toJsonValue, toParameter, wordsOf } from "../driver.ts";
import type { Advice } from "../failure.ts";
import type { QueryJob, QueryReply } from "./query-job.ts";

/** Another process may be writing. */
const busyTimeoutMs = 3_000;

/** No other file, no text or blob that the reply could not hold, and no statement that takes long to read. */
const limits = { attach: 0, length: 16 * 1024 * 1024, sqlLength: 1024 * 1024, likePatternLength: 1_000 };

/** Opens the file, runs the statement, and closes it. Never throws for what SQLite refuses. */
export function runQuery(job: QueryJob): QueryReply {
  let database: DatabaseSync | undefined;
  try {
    const readOnly = job.access === "read";
    const options = { readOnly, readBigInts: true, returnArrays: true, timeout: busyTimeoutMs, limits };
    database = new DatabaseSync(job.file, options);
    database.exec(readOnly ? "pragma query_only = 1" : "pragma foreign_keys = 1");
    database.setAuthorizer(authorise(readOnly));
    return run(database, job);
  } catch (error) {
    return { ok: false, advice: advice(error), words: wordsOf(error) };
  } finally {
    database?.close();
  }
}

function run(database: DatabaseSync, { statement: text, parameters, maxRows, maxBytes }: QueryJob): QueryReply {
  const statement = database.prepare(text);
  if (!isNothing(text.slice(statement.sourceSQL.length))) return { ok: false, advice: "one", words: "" };
  const bound = Object.fromEntries(parameters.map((value, index) => [`$${index + 1}`, toBound(value)]));
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length === 0) return { ok: true, columns, rows: [], changedRows: Number(statement.run(bound).changes) };
  return { ok: true, columns, rows: takeRows(statement.iterate(bound), { maxRows, maxBytes }) };
}

function takeRows(
  found: ReturnType<StatementSync["iterate"]>,
  { maxRows, maxBytes }: Pick<QueryJob, "maxRows" | "maxBytes">,
): Json[][] {
  const rows: Json[][] = [];
  let sizeBytes = 0;
  for (const values of found) {
    // An array, as `returnArrays` says: an object would lose all but one of two columns of a name.
    const row = Object.values(values).map(toJsonValue);
    rows.push(row);
    sizeBytes += JSON.stringify(row).length;
    if (rows.length > maxRows || sizeBytes > maxBytes) break;
  }
  return rows;
}

function toBound(value: Json): string | number | null {
  const parameter = toParameter(value);
  return typeof parameter === "boolean" ? Number(parameter) : parameter;
}

/** Whether a text holds no further statement. */
function isNothing(text: string): boolean {
  return text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").replaceAll(/[\s;]/g, "") === "";
}

const reads = new Set([constants.SQLITE_SELECT, constants.SQLITE_READ, constants.SQLITE_RECURSIVE]);

/** What changes rows and tables. The rest, such as other files, transactions and modules, is refused to everybody. */
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

const byResult: Readonly<Record<number, Advice>> = { 5: "passing", 6: "passing", 8: "read-only", 23: "read-only" };
