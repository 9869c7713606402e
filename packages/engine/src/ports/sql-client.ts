import type { Json, JsonObject, Share, ToolEffect } from "@weft/schema";

/** Address of a database. `user` and `password` come from a credential, and may be placeholders for secrets. */
export type SqlDatabase =
  | {
      engine: "postgres" | "mysql";
      host: string;
      port: number;
      database: string;
      user: string;
      password: string;
      /** Use TLS and verify the server's certificate against the host. */
      tls: boolean;
    }
  /** A path below the folder that the operator configures. */
  | { engine: "sqlite"; file: string };

export type SqlStatement = {
  /** A single statement, with placeholders for the parameters. */
  statement: string;
  /** Bound as values; objects and lists as JSON text. */
  parameters: readonly Json[];
  /** With `read` the database itself refuses every change. */
  access: "read" | "write";
  timeoutMs: number;
};

export type SqlRowLimits = {
  /** Further rows are dropped, and `truncated` is set. */
  maxRows: number;
  /** Total size of all rows as JSON; further rows are dropped. */
  maxBytes: number;
};

export type SqlCall = SqlStatement &
  SqlRowLimits & {
    database: SqlDatabase;
    /** `$1`, `$2` …, or question marks, where a list expands to all of its values. Default `numbers`. */
    placeholders?: "numbers" | "question-marks";
    /** On whose behalf. Default: that of the run, if a run makes the call. */
    share?: Share;
    signal: AbortSignal;
  };

/** Timestamps are ISO 8601; integers beyond ±2^53 and decimals are text; bytes are base64. */
export type SqlResult = {
  columns: string[];
  rows: JsonObject[];
  truncated: boolean;
  changedRows?: number;
};

export type SqlTable = { name: string; columns: { name: string; type: string; nullable: boolean; key: boolean }[] };

/** A value, or a sentence about the failure for the statement's author. `retryable`: waiting may resolve it. */
export type SqlOutcome<Value> = { ok: true; value: Value } | { ok: false; reason: string; retryable: boolean };

/**
 * Queries databases. Both methods reject with `egress-*` and `credential-host` errors, and with the signal's reason.
 * A write is atomic. If it fails while being committed, its outcome is unknown.
 */
export type SqlClient = {
  run(call: SqlCall): Promise<SqlOutcome<SqlResult>>;
  /**
   * Classifies a statement: `SELECT` reads, `INSERT` writes, and everything else, including several statements at once,
   * may delete data. A function called in a `SELECT` may do more than its text shows: with `read` access the database
   * itself refuses that.
   */
  effectOf(engine: SqlDatabase["engine"], statement: string): ToolEffect;
  /** Tables and views that the user may read, by name; those outside the default schema as `schema.table`. */
  describe(call: Pick<SqlCall, "database" | "timeoutMs" | "share" | "signal">): Promise<SqlOutcome<SqlTable[]>>;
};
