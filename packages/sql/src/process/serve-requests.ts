import type { EgressSocket } from "@weft/egress";
import type { SqlResult } from "@weft/engine/ports/sql-client";
import type { FromWorker, ToWorker } from "@weft/workers";
import type { Client } from "pg";
import { collectRows, toParts } from "../collect-rows.ts";
import { codeOf, SqlFailure, tooMuch, wordsOf } from "../driver.ts";
import { unreadable } from "../failure.ts";
import type {
  Asked,
  DatabaseAnswer,
  DatabasePart,
  DatabaseRequest,
  Server,
  ServerSession,
  StatementJob,
} from "./protocol.ts";

type Watch = { limit(limits: WatchLimits): void };

/**
 * How long the first thread may hang, in time (`maxStillMs`) or in processor time of the process (`maxBusyMs`), and how
 * much memory the process may take. Absent: no limit.
 */
export type WatchLimits = { maxStillMs?: number; maxBusyMs?: number; maxMb: number };

/**
 * A driver blocks for milliseconds while it parses; delays by a busy machine are not its fault. SQLite is synchronous,
 * up to its time limit.
 */
const serverLimits = { maxBusyMs: 2_000, maxMb: 320 };
const maxFileMb = 640;

/** Answers the requests of the process that started this one. */
export function serveRequests(watch: Watch): void {
  const underWay = new Map<number, AbortController>();
  const sessions = createSessions();

  async function answer(request: DatabaseRequest, asked: Asked): Promise<DatabaseAnswer> {
    switch (request.do) {
      case "run":
        return { kind: "ran", result: tellRows(await runAtServer(request, asked), asked) };
      case "run-file": {
        watch.limit({ maxStillMs: request.job.timeoutMs, maxMb: maxFileMb });
        const { runQuery } = await import("../sqlite/run-query.ts");
        return { kind: "ran", result: tellRows(runQuery(request), asked) };
      }
      case "end":
        await endStatement(request, asked);
        return { kind: "done" };
      case "ping":
        return { kind: "done" };
      default:
        return sessions.answer(request, asked);
    }
  }

  async function reply(id: number, request: DatabaseRequest, connection?: EgressSocket): Promise<void> {
    const controller = new AbortController();
    underWay.set(id, controller);
    watch.limit(serverLimits);
    const tell = (part: DatabasePart) => send({ id, part });
    try {
      send({ id, answer: await answer(request, { signal: controller.signal, connection, tell }) });
    } catch (error) {
      send({ id, answer: toFailed(error) });
    } finally {
      underWay.delete(id);
    }
  }

  process.on("message", (message: ToWorker<DatabaseRequest>, connection?: unknown) => {
    if ("cancel" in message) underWay.get(message.cancel)?.abort();
    else void reply(message.id, message.request, connection as EgressSocket | undefined);
  });
}

function send(message: FromWorker<DatabaseAnswer, never, DatabasePart>): void {
  process.send?.(message, () => undefined);
}

function toFailed(error: unknown): DatabaseAnswer {
  const isFailure = error instanceof SqlFailure;
  const reason = isFailure ? error.message : unreadable;
  return { kind: "failed", reason, retryable: isFailure && error.retryable };
}

function tellRows({ rows, ...result }: SqlResult, { tell }: Asked): Omit<SqlResult, "rows"> {
  for (const part of toParts(rows)) tell({ rows: part });
  return result;
}

type SessionRequest = Extract<DatabaseRequest, { do: "open" | "query" | "close" }>;

/** Of one query, as JSON. */
const maxResultBytes = 64 * 1024 * 1024;

/** Persistent connections to PostgreSQL, for callers of one statement after the other. */
function createSessions() {
  const clients = new Map<number, Client>();

  async function open(request: SessionRequest & { do: "open" }, { connection }: Asked): Promise<DatabaseAnswer> {
    const { openPostgresSession } = await import("../postgres.ts");
    const client = await openPostgresSession({ database: request.database, socket: toOpen(connection) });
    clients.set(request.session, client);
    client.once("end", () => clients.delete(request.session));
    return { kind: "done" };
  }

  async function query({ session, text, values }: SessionRequest & { do: "query" }, { tell }: Asked) {
    const client = clients.get(session);
    if (client === undefined) throw new Error("Connection terminated");
    const { rows, command, rowCount } = await client.query(text, [...values]);
    // The driver takes a server that is ready again for one that has answered.
    if (!command) throw new Error("The server ended its answer without a result.");
    let leftBytes = maxResultBytes;
    for (const part of toParts(rows)) {
      leftBytes -= JSON.stringify(part).length;
      if (leftBytes < 0) throw Object.assign(new Error("the answer is too large"), { code: "54000" });
      tell({ rows: part });
    }
    return { kind: "queried", command, rowCount } as const;
  }

  return {
    async answer(request: SessionRequest, asked: Asked): Promise<DatabaseAnswer> {
      try {
        if (request.do === "open") return await open(request, asked);
        if (request.do === "query") return await query(request, asked);
        await clients.get(request.session)?.end();
        return { kind: "done" };
      } catch (error) {
        const isLost = request.do === "open" || !clients.has(request.session);
        if (request.do === "open") asked.connection?.destroy();
        return { kind: "broken", code: codeOf(error), message: wordsOf(error), isLost };
      }
    },
  };
}

/** Input of a connection beyond the kept rows: rows come in batches, and in their own format. */
const spareBytes = 4 * 1024 * 1024;
/** How often it is checked. */
const watchMs = 25;

/**
 * Runs a statement on the connection, and ends the connection: also when the signal aborts, and when it returns
 * excessive data.
 */
async function runAtServer(
  { database, job }: { database: Server; job: StatementJob },
  { connection, signal, tell }: Asked,
): Promise<SqlResult> {
  const socket = toOpen(connection);
  const sink = collectRows(job);
  let isTooMuch = false;
  const watch = setInterval(() => {
    isTooMuch ||= socket.bytesRead > job.maxBytes + spareBytes;
    if (isTooMuch) socket.destroy();
  }, watchMs);
  const abort = () => void socket.destroy();
  signal.addEventListener("abort", abort);
  const onSession = (session: ServerSession) => tell({ session });
  try {
    const { ask } = await load(database);
    return sink.result(await ask({ database, socket, onSession }, job, sink));
  } catch (error) {
    if (isTooMuch) throw tooMuch(job.maxBytes);
    throw error;
  } finally {
    clearInterval(watch);
    signal.removeEventListener("abort", abort);
    socket.destroy();
  }
}

/** Cancels the statement of another connection, which would otherwise continue after its caller has left. */
async function endStatement(
  { database, session }: { database: Server; session: ServerSession },
  { connection }: Asked,
): Promise<void> {
  const socket = toOpen(connection);
  try {
    const { end } = await load(database);
    await end({ database, socket }, session);
  } finally {
    socket.destroy();
  }
}

/** Loads each driver on first use. */
async function load({ engine }: Server) {
  if (engine === "postgres") {
    const { askPostgres, endPostgresStatement } = await import("../postgres.ts");
    return { ask: askPostgres, end: endPostgresStatement };
  }
  const { askMysql, endMysqlStatement } = await import("../mysql.ts");
  return { ask: askMysql, end: endMysqlStatement };
}

/** A connection that closed in transit cannot be used. */
function toOpen(connection: EgressSocket | undefined): EgressSocket {
  if (connection === undefined) throw new SqlFailure("The connection to the database was lost.", { retryable: true });
  // Pending requests learn of its end.
  return connection.on("error", () => undefined);
}
