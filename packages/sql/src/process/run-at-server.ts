import type { EgressSocket } from "@weft/egress";
import type { SqlResult } from "@weft/engine/ports/sql-client";
import { collectRows } from "../collect-rows.ts";
import { SqlFailure, tooMuch } from "../driver.ts";
import type { Asked, Server, ServerSession, StatementJob } from "./protocol.ts";

/** Input of a connection beyond the kept rows: rows come in batches, and in their own format. */
const spareBytes = 4 * 1024 * 1024;
/** How often it is checked. */
const watchMs = 25;

/**
 * Runs a statement on the connection, and ends the connection: also when the signal aborts, and when it returns
 * excessive data.
 */
export async function runAtServer(
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
export async function endStatement(
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

/** One closed in transit is no longer a connection. */
export function toOpen(connection: EgressSocket | undefined): EgressSocket {
  if (connection === undefined) throw new SqlFailure("The connection to the database was lost.", { retryable: true });
  // Pending requests learn of its end.
  return connection.on("error", () => undefined);
}
