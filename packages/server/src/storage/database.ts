import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** The platform's database: SQLite in DATA_DIR, or PostgreSQL. */
export type Database = {
  readonly dialect: "sqlite" | "postgres";
  /** Reads outside a transaction. Sees what is committed. */
  readonly read: Kysely<Tables>;
  /**
   * Runs `fn` in a transaction and resolves when it is durable. On SQLite the writes of many callers share one
   * commit (and one fsync), each in its own savepoint: a caller that fails rolls back alone. `fn` must use only
   * the handle it gets and must wait for nothing but the database.
   */
  write<T>(fn: (tx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
