import type { EgressClient, EgressSocket } from "@weft/egress";
import type { SqlCall, SqlClient, SqlDatabase, SqlOutcome, SqlResult } from "@weft/engine/ports/sql-client";
import { noShare } from "@weft/schema";
import { createPlaces } from "@weft/workers";
import { collectRows } from "./collect-rows.ts";
import { describeQueries, toTables } from "./describe.ts";
import { type Ended, type Sink, SqlFailure } from "./driver.ts";
import { timedOut } from "./failure.ts";
import { numberQuestionMarks } from "./statement.ts";

export type SqlClientDeps = {
  /** What opens connections, to addresses that are allowed. */
  connect: EgressClient["connect"];
  /** The secret behind a stand-in. Throws when it must not be sent to this `host:port`. */
  reveal: EgressClient["reveal"];
  /** The folder below which SQLite files may be opened; empty: none. */
  filesDir: string;
  /** Statements at once, of which no share gets more than its part; further ones fail. Default 32. */
  maxStatements?: number;
};

/** What a connection may read beside the rows that are kept: rows come in batches, and in their own form. */
const spareBytes = 4 * 1024 * 1024;
/** How often it is looked at. */
const watchMs = 25;
/** For connecting, and for the database to end a statement by itself. */
const graceMs = 5_000;

const schemaLimits = { maxRows: 20_000, maxBytes: 4 * 1024 * 1024 };

/**
 * Runs each statement on a connection, or in a process, of its own, so that nothing that it leaves behind meets the
 * next one.
 */
export function createSqlClient(deps: SqlClientDeps): SqlClient {
  const { maxStatements = 32 } = deps;
  const places = createPlaces({ total: maxStatements });

  async function run(call: SqlCall): Promise<SqlOutcome<SqlResult>> {
    const { share = noShare } = call;
    if (!places.take(share)) {
      return { ok: false, reason: "Too many statements are running at once. Try again in a moment.", retryable: true };
    }
    try {
      const { placeholders = "numbers", database } = call;
      const numbered = placeholders === "numbers" ? call : { ...call, ...numberQuestionMarks(database.engine, call) };
      return { ok: true, value: await ask(numbered, deps) };
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof SqlFailure)) throw error;
      return { ok: false, reason: error.message, retryable: error.retryable };
    } finally {
      places.give(share);
    }
  }

  return {
    run,
    async describe(of) {
      const statement = describeQueries[of.database.engine];
      const call = { ...of, ...schemaLimits, statement, parameters: [], access: "read" } as const;
      const outcome = await run(call);
      return outcome.ok ? { ok: true, value: toTables(outcome.value.rows) } : outcome;
    },
  };
}

async function ask(call: SqlCall, deps: SqlClientDeps): Promise<SqlResult> {
  const collector = collectRows(call);
  const limit = AbortSignal.timeout(call.timeoutMs + graceMs);
  const signal = AbortSignal.any([call.signal, limit]);
  try {
    const result = collector.result(await dispatch({ ...call, signal }, deps, collector));
    // Not even the first row was kept. What a write brings back says nothing of what it did.
    if (call.access === "read" && result.truncated && result.rows.length === 0) throw tooMuch(call.maxBytes);
    return result;
  } catch (error) {
    throw limit.aborted && !call.signal.aborted ? timedOut(call) : error;
  }
}

/** Each driver is loaded when it is used first. */
async function dispatch(call: SqlCall, deps: SqlClientDeps, sink: Sink): Promise<Ended> {
  const { database, signal } = call;
  if (database.engine === "sqlite") {
    const { askSqlite } = await import("./sqlite/ask-sqlite.ts");
    return askSqlite({ ...call, file: database.file, filesDir: deps.filesDir }, sink);
  }
  return onConnection({ ...call, database }, deps, async (socket, revealed) => {
    signal.throwIfAborted();
    if (database.engine === "postgres") {
      const { askPostgres } = await import("./postgres.ts");
      return askPostgres({ database: revealed, socket }, call, sink);
    }
    const { askMysql } = await import("./mysql.ts");
    const connectAgain = () => deps.connect(database.host, database.port, AbortSignal.timeout(graceMs));
    return askMysql({ database: revealed, socket, signal, connectAgain }, call, sink);
  });
}

type Server = Extract<SqlDatabase, { host: string }>;

/** Ends the connection when the signal aborts, and when it brings more than anything could need. */
async function onConnection(
  { database, signal, maxBytes }: SqlCall & { database: Server },
  { connect, reveal }: SqlClientDeps,
  use: (socket: EgressSocket, database: Server) => Promise<Ended>,
): Promise<Ended> {
  const { host, port } = database;
  const authority = `${host}:${port}`;
  const user = reveal(database.user, authority);
  const password = reveal(database.password, authority);
  if (user.trim() === "") throw new SqlFailure("Its credential has no user. Enter the user and the password.");
  const socket = await connect(host, port, signal);
  // One that breaks before its driver listens would end the process; what waits for it hears of the end.
  socket.on("error", () => undefined);
  let isTooMuch = false;
  const watch = setInterval(() => {
    isTooMuch ||= socket.bytesRead > maxBytes + spareBytes;
    if (isTooMuch) socket.destroy();
  }, watchMs);
  const abort = () => void socket.destroy();
  signal.addEventListener("abort", abort);
  try {
    return await use(socket, { ...database, user, password });
  } catch (error) {
    if (isTooMuch) throw tooMuch(maxBytes);
    throw error;
  } finally {
    clearInterval(watch);
    signal.removeEventListener("abort", abort);
    socket.destroy();
  }
}

function tooMuch(maxBytes: number): SqlFailure {
  return new SqlFailure(
    `The rows are much larger than the ${maxBytes} bytes that are kept. Select fewer columns or shorter values.`,
  );
}
