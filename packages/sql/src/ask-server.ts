import { type EgressClient, trustedCertificates } from "@weft/egress";
import type { SqlCall, SqlDatabase, SqlResult } from "@weft/engine/ports/sql-client";
import type { JsonObject } from "@weft/schema";
import { WorkerEnded } from "@weft/workers";
import { toJob, toResult } from "./ask-file.ts";
import { SqlFailure } from "./driver.ts";
import type { DatabaseSeat } from "./process/database-processes.ts";
import type { DatabasePart, Server, ServerSession } from "./process/protocol.ts";

type ServerCall = SqlCall & { database: Extract<SqlDatabase, { host: string }> };

type ServerDeps = Pick<EgressClient, "connect" | "reveal"> & { seat: DatabaseSeat };

/** For ending the statement over another connection. */
const endMs = 3_000;

/**
 * Passes a connection to the process, which runs the statement on it. Once nobody waits for it any more, the server is
 * told over another connection to end it. Leaves the seat once its process is free again.
 */
export async function askServer(call: ServerCall, deps: ServerDeps): Promise<SqlResult> {
  const { process, leave } = deps.seat;
  const begun: Begun = { isAsked: false, session: undefined };
  try {
    return await run({ ...call, database: revealed(call, deps) }, deps, begun);
  } catch (error) {
    // Work that a login has started, such as a billion rounds of a hash, continues: nothing else ends it.
    if (begun.isAsked && begun.session === undefined) process.end();
    throw error;
  } finally {
    if (call.signal.aborted && begun.session) void endStatement(call, deps, begun.session).finally(leave);
    else leave();
  }
}

/** Progress of a statement: its session is known once the login is done. */
type Begun = { isAsked: boolean; session: ServerSession | undefined };

async function run(
  call: SqlCall & { database: Server },
  { connect, seat }: ServerDeps,
  begun: Begun,
): Promise<SqlResult> {
  const { database, signal } = call;
  const rows: JsonObject[] = [];
  // A server waits only a few seconds for the first message, and a process may take that long to start.
  await seat.process.ask({ do: "ping" }, { signal });
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
    return toResult(await seat.process.ask(request, { signal, connection, onPart }), rows);
  } catch (error) {
    throw error instanceof WorkerEnded ? notUnderstood(call) : error;
  } finally {
    connection.destroy();
  }
}

function revealed({ database }: ServerCall, { reveal }: ServerDeps): Server {
  const authority = `${database.host}:${database.port}`;
  const user = reveal(database.user, authority);
  const password = reveal(database.password, authority);
  if (user.trim() === "") throw new SqlFailure("Its credential has no user. Enter the user and the password.");
  return { ...database, user, password, trusted: trustedCertificates() };
}

/** Also finds out whether the process still responds: one that does not is ended. */
async function endStatement(call: ServerCall, deps: ServerDeps, session: ServerSession): Promise<void> {
  const { process } = deps.seat;
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
