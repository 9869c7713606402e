import type { EgressSocket } from "@weft/egress";
import type { SqlCall, SqlDatabase, SqlResult } from "@weft/engine/ports/sql-client";
import type { JsonObject } from "@weft/schema";

/** `trusted`: certificates in place of Node's own, where the operator trusts others too. */
export type Server = Extract<SqlDatabase, { host: string }> & { trusted: readonly string[] | undefined };

/** What a statement is and may take. */
export type StatementJob = Pick<SqlCall, "statement" | "parameters" | "access" | "maxRows" | "maxBytes" | "timeoutMs">;

/** What the server calls a connection, to end its statement over another one. */
export type ServerSession = { id: number; secret?: number };

/** What a database process is asked. Those that begin or end something at a server come with a connection to it. */
export type DatabaseRequest =
  | { do: "run"; database: Server; job: StatementJob }
  | { do: "run-file"; file: string; job: StatementJob }
  | { do: "end"; database: Server; session: ServerSession }
  | { do: "ping" }
  | { do: "open"; session: number; database: Server }
  | { do: "query"; session: number; text: string; values: readonly unknown[] }
  | { do: "close"; session: number };

/** What comes before the answer. */
export type DatabasePart = { session: ServerSession } | { rows: JsonObject[] };

export type DatabaseAnswer =
  /** Of a statement, whose rows came before. */
  | { kind: "ran"; result: Omit<SqlResult, "rows"> }
  /** Of a query in a session, whose rows came before. */
  | { kind: "queried"; command: string; rowCount: number | null }
  | { kind: "done" }
  /** In words for the author of the statement. */
  | { kind: "failed"; reason: string; retryable: boolean }
  /** In the words of the driver. `isLost`: the session is over. */
  | { kind: "broken"; code: string; message: string; isLost: boolean };

/** What a request comes with, in the process that answers it. */
export type Asked = { signal: AbortSignal; connection: EgressSocket | undefined; tell(part: DatabasePart): void };
