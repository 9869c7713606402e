import { realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { type EgressClient, trustedCertificates } from "@weft/egress";
import type { SqlCall, SqlClient, SqlDatabase, SqlOutcome, SqlResult, SqlTable } from "@weft/engine/ports/sql-client";
import { type JsonObject, noShare } from "@weft/schema";
import { createPlaces, WorkerEnded } from "@weft/workers";
import { SqlFailure, tooMuch } from "./driver.ts";
import { effectOfStatement } from "./effect-of-statement.ts";
import { timedOut, toFailure } from "./failure.ts";
import {
  createDatabaseProcesses,
  createFileProcesses,
  type DatabaseSeat,
  type FileProcesses,
  tooMany,
} from "./process/database-processes.ts";
import type { DatabaseAnswer, DatabasePart, Server, ServerSession, StatementJob } from "./process/protocol.ts";
import { checkStatement, numberQuestionMarks } from "./statement.ts";

export type SqlClientDeps = {
  /** Opens connections to permitted addresses. */
  connect: EgressClient["connect"];
  /** The secret behind a placeholder. Throws if it must not be sent to this `host:port`. */
  reveal: EgressClient["reveal"];
  /** The folder below which SQLite files may be opened; empty: none. */
  filesDir: string;
  /** Concurrent statements, of which no share gets more than its part; further ones fail. Default 32. */
  maxStatements?: number;
  /** For connecting, and for the database to end a statement by itself. Default 5,000. */
  graceMs?: number;
};

/** Of those, this many have a process at a time; the others wait. */
const processLimits = { size: 12, idleMs: 15_000 };
const fileProcessLimits = { idleMs: 1_000 };

const schemaLimits = { maxRows: 20_000, maxBytes: 4 * 1024 * 1024 };

/**
 * Runs each statement on a connection of its own, so that no leftover state reaches the next one. Data from the
 * databases is parsed in other processes: whatever it is, only that call is lost. Closed by the caller.
 */
export function createSqlClient(deps: SqlClientDeps): SqlClient & { close(): Promise<void> } {
  const { maxStatements = 32, graceMs = 5_000 } = deps;
  const places = createPlaces({ total: maxStatements });
  const processes = createDatabaseProcesses(processLimits);
  const fileProcesses = createFileProcesses(fileProcessLimits);

  async function run(call: SqlCall): Promise<SqlOutcome<SqlResult>> {
    const { share = noShare } = call;
    if (!places.take(share)) {
      return { ok: false, reason: tooMany().message, retryable: true };
    }
    try {
      const { placeholders = "numbers", database } = call;
      const numbered = placeholders === "numbers" ? call : { ...call, ...numberQuestionMarks(database.engine, call) };
      // A statement rejected by its text alone costs no process and no login.
      checkStatement(database.engine, numbered);
      return { ok: true, value: await ask(numbered) };
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof SqlFailure)) throw error;
      return { ok: false, reason: error.message, retryable: error.retryable };
    } finally {
      places.give(share);
    }
  }

  async function ask(call: SqlCall): Promise<SqlResult> {
    const seat = await takeSeat(call);
    const limit = AbortSignal.timeout(call.timeoutMs + graceMs);
    try {
      const { database } = call;
      const signal = AbortSignal.any([call.signal, limit]);
      const result =
        database.engine === "sqlite"
          ? await askFile({ ...call, database, signal }, deps.filesDir, fileProcesses).finally(seat.leave)
          : await askServer({ ...call, database, signal }, deps, seat);
      // Not even the first row was kept. The returned rows of a write say nothing about its effect.
      if (call.access === "read" && result.truncated && result.rows.length === 0) throw tooMuch(call.maxBytes);
      return result;
    } catch (error) {
      throw limit.aborted && !call.signal.aborted ? timedOut(call) : error;
    }
  }

  async function takeSeat({ share, signal, timeoutMs }: SqlCall): Promise<DatabaseSeat> {
    const limit = AbortSignal.timeout(timeoutMs);
    return processes.take({ share, signal: AbortSignal.any([signal, limit]) }).catch((error: unknown) => {
      throw limit.aborted && !signal.aborted ? tooMany() : error;
    });
  }

  return {
    run,
    async describe(of) {
      const statement = describeQueries[of.database.engine];
      const call = { ...of, ...schemaLimits, statement, parameters: [], access: "read" } as const;
      const outcome = await run(call);
      return outcome.ok ? { ok: true, value: toTables(outcome.value.rows) } : outcome;
    },
    effectOf: effectOfStatement,
    async close() {
      await Promise.all([processes.close(), fileProcesses.close()]);
    },
  };
}

/** The columns that the user may read, in order: `table`, `column`, `type`, `nullable`, `key`. */
const describeQueries: Readonly<Record<SqlDatabase["engine"], string>> = {
  postgres: `select case when n.nspname = current_schema() then c.relname else n.nspname || '.' || c.relname end as "table",
      a.attname as "column", pg_catalog.format_type(a.atttypid, a.atttypmod) as "type", not a.attnotnull as "nullable",
      exists (select 1 from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary
        and a.attnum = any (i.indkey)) as "key"
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^(pg_|information_schema$)'
      and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select')
    order by n.nspname <> current_schema(), 1, a.attnum`,
  mysql: `select case when table_schema = database() then table_name else concat(table_schema, '.', table_name) end as \`table\`,
      column_name as \`column\`, column_type as \`type\`, is_nullable = 'YES' as \`nullable\`, column_key = 'PRI' as \`key\`
    from information_schema.columns
    where table_schema = database() or (database() is null
      and table_schema not in ('mysql', 'information_schema', 'performance_schema', 'sys'))
    order by table_schema, table_name, ordinal_position`,
  sqlite: `select m.name as "table", c.name as "column", c.type as "type", not c."notnull" as "nullable", c.pk > 0 as "key"
    from sqlite_schema m join pragma_table_info(m.name) c
    where m.type in ('table', 'view') and m.name not like 'sqlite\\_%' escape '\\' order by m.name, c.cid`,
};

function toTables(rows: readonly JsonObject[]): SqlTable[] {
  const columns = Map.groupBy(rows, ({ table }) => String(table));
  return Array.from(columns, ([name, of]) => ({
    name,
    columns: of.map(({ column, type, nullable, key }) => ({
      name: String(column),
      type: String(type),
      nullable: Boolean(nullable),
      key: Boolean(key),
    })),
  }));
}

type ServerCall = SqlCall & { database: Extract<SqlDatabase, { host: string }> };

/** For ending the statement over another connection. */
const endMs = 3_000;

/**
 * Passes a connection to the process, which runs the statement on it. Once nobody waits for it any more, the server is
 * told over another connection to end it. Leaves the seat once its process is free again.
 */
async function askServer(call: ServerCall, deps: SqlClientDeps, { process, leave }: DatabaseSeat): Promise<SqlResult> {
  const begun: Begun = { process, isAsked: false, session: undefined };
  try {
    return await runAtServer({ ...call, database: revealed(call, deps) }, deps, begun);
  } catch (error) {
    // Work that a login has started, such as a billion rounds of a hash, continues: nothing else ends it.
    if (begun.isAsked && begun.session === undefined) process.end();
    throw error;
  } finally {
    if (call.signal.aborted && begun.session) {
      void endStatement(call, deps, { process, session: begun.session }).finally(leave);
    } else leave();
  }
}

/** A statement in a process: its session is known once the login is done. */
type Begun = { process: DatabaseSeat["process"]; isAsked: boolean; session: ServerSession | undefined };

type LoggedIn = Omit<Begun, "isAsked"> & { session: ServerSession };

async function runAtServer(
  call: SqlCall & { database: Server },
  { connect }: SqlClientDeps,
  begun: Begun,
): Promise<SqlResult> {
  const { database, signal } = call;
  const rows: JsonObject[] = [];
  // A server waits only a few seconds for the first message, and a process may take that long to start.
  await begun.process.ask({ do: "ping" }, { signal });
  const connection = await connect(database.host, database.port, signal);
  // An error on the way would otherwise end this process.
  connection.on("error", () => undefined);
  const onPart = (part: DatabasePart) => {
    if ("session" in part) begun.session = part.session;
    else rows.push(...part.rows);
  };
  begun.isAsked = true;
  try {
    const request = { do: "run", database, job: toJob(call) } as const;
    return toResult(await begun.process.ask(request, { signal, connection, onPart }), rows);
  } catch (error) {
    throw error instanceof WorkerEnded ? notUnderstood(call) : error;
  } finally {
    connection.destroy();
  }
}

function revealed({ database }: ServerCall, { reveal }: SqlClientDeps): Server {
  const authority = `${database.host}:${database.port}`;
  const user = reveal(database.user, authority);
  const password = reveal(database.password, authority);
  if (user.trim() === "") throw new SqlFailure("Its credential has no user. Enter the user and the password.");
  return { ...database, user, password, trusted: trustedCertificates() };
}

/** Also finds out whether the process still responds: one that does not is ended. */
async function endStatement(call: ServerCall, deps: SqlClientDeps, { process, session }: LoggedIn): Promise<void> {
  const options = { signal: new AbortController().signal, answerMs: endMs };
  try {
    const { host, port } = call.database;
    const connection = await deps.connect(host, port, AbortSignal.timeout(endMs));
    connection.on("error", () => undefined);
    const request = { do: "end", database: revealed(call, deps), session } as const;
    await process.ask(request, { ...options, connection }).finally(() => connection.destroy());
  } catch {
    process.end();
  }
}

const names = { postgres: "PostgreSQL", mysql: "MySQL" };

function notUnderstood({ database: { engine, host, port } }: { database: Server }): SqlFailure {
  return new SqlFailure(
    `What ${host}:${port} answers cannot be read as ${names[engine]}, or needs too much memory. Correct the address, or ask for less.`,
  );
}

type FileCall = SqlCall & { database: Extract<SqlDatabase, { engine: "sqlite" }> };

/**
 * Runs a statement in a process of its own: SQLite is synchronous, and only ending the process stops a statement that
 * does not end. The process may open no other file, and only one that answered is reused.
 */
async function askFile(call: FileCall, filesDir: string, processes: FileProcesses): Promise<SqlResult> {
  const file = await findFile(call.database.file, filesDir);
  call.signal.throwIfAborted();
  return runInProcess(file, call, processes);
}

async function runInProcess(file: string, call: FileCall, processes: FileProcesses): Promise<SqlResult> {
  const startedAt = performance.now();
  const process = processes.take(file);
  let hasAnswered = false;
  const rows: JsonObject[] = [];
  const onPart = (part: DatabasePart) => void ("rows" in part && rows.push(...part.rows));
  try {
    const request = { do: "run-file", file, job: toJob(call) } as const;
    const answer = await process.ask(request, { signal: call.signal, onPart });
    hasAnswered = true;
    return toResult(answer, rows);
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    // It ends itself at the time limit, and beyond its memory.
    throw performance.now() - startedAt >= call.timeoutMs ? timedOut(call) : toFailure(error, () => "memory", call);
  } finally {
    await (hasAnswered ? processes.give(file, process) : process.close());
  }
}

function toJob({ statement, parameters, access, maxRows, maxBytes, timeoutMs }: SqlCall): StatementJob {
  return { statement, parameters, access, maxRows, maxBytes, timeoutMs };
}

/** Throws if the answer is a failure. */
function toResult(answer: DatabaseAnswer, rows: JsonObject[]): SqlResult {
  if (answer.kind === "ran") return { ...answer.result, rows };
  if (answer.kind === "failed") throw new SqlFailure(answer.reason, { retryable: answer.retryable });
  throw new Error(`A statement was answered with ${answer.kind}.`);
}

/** The file that a name refers to, with links resolved. Rejects with `SqlFailure`. */
async function findFile(file: string, filesDir: string): Promise<string> {
  if (filesDir === "") {
    throw new SqlFailure(
      "SQLite files cannot be used here. The operator names the folder they are in with SQL_FILES_DIR.",
    );
  }
  if (file.trim() === "")
    throw new SqlFailure("No SQLite file is named. Enter its name below the folder of SQL_FILES_DIR.");
  const folder = await realpath(filesDir).catch(() => undefined);
  if (folder === undefined)
    throw new SqlFailure("The folder of SQL_FILES_DIR does not exist. The operator has to make it.");
  const path = file.includes("\0") ? undefined : await realpath(resolve(folder, file.trim())).catch(() => undefined);
  const isInside = path?.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const isFile = isInside && path !== undefined && (await stat(path).catch(() => undefined))?.isFile();
  if (path !== undefined && isFile) return path;
  // The same message whether there is nothing or something outside.
  throw new SqlFailure(`The folder of SQL_FILES_DIR has no file ${file.slice(0, 200)}. Check its name.`);
}
