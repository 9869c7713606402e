import type { EgressSocket } from "@weft/egress";
import type { SqlDatabase, SqlResult, SqlRowLimits, SqlStatement } from "@weft/engine/ports/sql-client";
import type { JsonObject } from "@weft/schema";

/** `trusted`: certificates that replace Node's own, if the operator trusts others too. */
export type Server = Extract<SqlDatabase, { host: string }> & { trusted: readonly string[] | undefined };

/** A statement and its limits. */
export type StatementJob = SqlStatement & SqlRowLimits;

/** The server's identifier of a connection, used to end its statement over another one. */
export type ServerSession = { id: number; secret?: number };

/** Requests to a database process. Those that start or end something at a server come with a connection to it. */
export type DatabaseRequest =
  | { do: "run"; database: Server; job: StatementJob }
  | { do: "run-file"; file: string; job: StatementJob }
  | { do: "end"; database: Server; session: ServerSession }
  | { do: "ping" }
  | { do: "open"; session: number; database: Server }
  | { do: "query"; session: number; text: string; values: readonly unknown[] }
  | { do: "close"; session: number };

/** Sent before the answer. */
export type DatabasePart = { session: ServerSession } | { rows: JsonObject[] };

export type DatabaseAnswer =
  /** Of a statement, whose rows were sent before. */
  | { kind: "ran"; result: Omit<SqlResult, "rows"> }
  /** Of a query in a session, whose rows were sent before. */
  | { kind: "queried"; command: string; rowCount: number | null }
  | { kind: "done" }
  /** A message for the author of the statement. */
  | { kind: "failed"; reason: string; retryable: boolean }
  /** The driver's message. `isLost`: the session is over. */
  | { kind: "broken"; code: string; message: string; isLost: boolean };

/** The context of a request, in the process that answers it. */
export type Asked = { signal: AbortSignal; connection: EgressSocket | undefined; tell(part: DatabasePart): void };
