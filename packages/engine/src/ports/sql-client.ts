import type { Json, JsonObject, Share, ToolEffect } from "@weft/schema";

/** Where a database is. `user` and `password` are those of a credential, and may be stand-ins of secrets. */
export type SqlDatabase =
  | {
      engine: "postgres" | "mysql";
      host: string;
      port: number;
      database: string;
      user: string;
      password: string;
      /** TLS, with the server's certificate checked against the host. */
      tls: boolean;
    }
  /** A path below the folder that the operator names. */
  | { engine: "sqlite"; file: string };

export type SqlCall = {
  database: SqlDatabase;
  /** One statement, in which placeholders stand for the parameters. */
  statement: string;
  /** Bound as values; objects and lists are bound as JSON text. */
  parameters: readonly Json[];
  /** `$1`, `$2` …, or question marks, each of which a list gives all of its values. Default `numbers`. */
  placeholders?: "numbers" | "question-marks";
  /** With `read` the database itself refuses every change. */
  access: "read" | "write";
  /** Further rows are left out, and `truncated` says so. */
  maxRows: number;
  /** Of all rows as JSON; further ones are left out. */
  maxBytes: number;
  timeoutMs: number;
  /** In whose name. Absent: in that of the run, where a run calls. */
  share?: Share;
  signal: AbortSignal;
};

/** Moments are ISO 8601, whole numbers beyond ±2^53 and decimals are text, and bytes are base64. */
export type SqlResult = {
  columns: string[];
  rows: JsonObject[];
  truncated: boolean;
  /** How many rows a write changed. */
  changedRows?: number;
};

export type SqlTable = { name: string; columns: { name: string; type: string; nullable: boolean; key: boolean }[] };

/** A value, or a sentence about the failure for the author of the statement. `retryable`: it may pass by waiting. */
export type SqlOutcome<Value> = { ok: true; value: Value } | { ok: false; reason: string; retryable: boolean };

/**
 * Asks databases. Both reject with `egress-*` and `credential-host` errors, and with the signal's reason.
 * A write is done as a whole or not at all. After a failure while it was being committed its outcome is unknown.
 */
export type SqlClient = {
  run(call: SqlCall): Promise<SqlOutcome<SqlResult>>;
  /**
   * What one statement does to a database: a `SELECT` reads, an `INSERT` writes, and everything else, two statements among
   * it, may take something away. A function that a `SELECT` calls may do more than its text says: with the access `read`
   * the database refuses that.
   */
  effectOf(engine: SqlDatabase["engine"], statement: string): ToolEffect;
  /** Tables and views that the user may read, by name; those outside the default schema as `schema.table`. */
  describe(call: Pick<SqlCall, "database" | "timeoutMs" | "share" | "signal">): Promise<SqlOutcome<SqlTable[]>>;
};
