import { type CompiledQuery, type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { WatchedTable } from "./table-changes.ts";
import type { Tables } from "./tables.ts";

export type WriteOptions = {
  /**
   * Default `serializable`: the write behaves as if it ran alone, so it may read, decide and write.
   * `read-committed` is for writes that guard themselves, by compare-and-set or by touching one row: PostgreSQL
   * never makes them wait for a retry. SQLite has one writer and is always serializable.
   */
  isolation?: "serializable" | "read-committed";
};

/** The platform's database: SQLite in DATA_DIR, or PostgreSQL. */
export type Database = {
  readonly dialect: "sqlite" | "postgres";
  /**
   * Reads outside a transaction. Sees committed data. Never use it for a write that must happen once: SQLite rejects
   * writes, and on PostgreSQL a query whose connection ends is repeated.
   */
  readonly read: Kysely<Tables>;
  /** As `read`, for bytes of files, which would displace everything else from SQLite's cache. */
  readonly readLarge: Kysely<Tables>;
  /**
   * Runs `fn` in a transaction and resolves when it is durable. On SQLite the writes of many callers share one commit
   * (and one fsync); a failing caller is rolled back alone. `fn` must use only the handle it gets and must wait only
   * for the database (SQLite rejects anything else). It must have no side effects, because it may run again: on SQLite
   * if another write of its commit fails, on PostgreSQL, up to eight times, if it loses against another write or loses
   * its connection before the commit.
   * Rejects with what `fn` rejects with, or with `DatabaseUnavailableError`; a write inside a write is rejected.
   */
  write<T>(fn: (tx: Kysely<Tables>) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Writes without a decision between their statements, for hot paths: one round trip to PostgreSQL, shared with the
   * commits of other callers, as on SQLite. Resolves with the rows that its statements return when all of it is
   * durable; rejects with the first error, in which case nothing of it was written.
   */
  commit<R>(commit: Commit): Promise<R[]>;
  /**
   * A number that changes once a commit has changed one of these tables, so that earlier reads stay valid while it is
   * unchanged: exact for commits of this process, delayed by a signal for those of others. Undefined while other
   * processes cannot be heard.
   */
  changes(tables: readonly WatchedTable[]): number | undefined;
  readonly signals: Signals;
  /**
   * Returns some of the space of deleted rows to the file system, in a write that does not block others for long.
   * False: there is no more to return. PostgreSQL does this by itself.
   */
  giveBackSpace(): Promise<boolean>;
  /**
   * Purges data that was deleted and committed before from the files: SQLite overwrites what it deletes, and its log is
   * copied and emptied here, unless someone still reads it. PostgreSQL's own vacuum does this.
   */
  eraseDeleted(): Promise<void>;
  /**
   * Numbers of active and idle connections, and of queries waiting for one. Undefined for SQLite, which has no pool.
   */
  connections(): { active: number; idle: number; waiting: number } | undefined;
  /** Waits for pending writes, then closes. Later writes are rejected. */
  close(): Promise<void>;
};

/** Its statements are `read committed`, and their texts few: PostgreSQL prepares each once per connection. */
export type Commit = {
  statements: readonly CompiledQuery[];
  /**
   * Returns what the commit returned, or any row, once it has taken effect: for a connection that is lost before its
   * reply.
   */
  proof: CompiledQuery;
  /** Held until the commit ends, by one at a time. SQLite has one writer. */
  lock?: string | undefined;
};

export type SignalTopic =
  | "run-cancel-requested"
  | "run-ready"
  | "run-followed-asked"
  | "run-followed"
  | "run-paused"
  | "work-due"
  | "table-changed";

export type ReadableDatabase = Pick<Database, "dialect" | "read">;
export type WritableDatabase = Pick<Database, "write">;

/**
 * Short messages between the processes on one database. They arrive fast, and may be lost with a connection: a process
 * that must know also reads the tables.
 */
export type Signals = {
  /** Notifies the other processes when the transaction commits. `text`: at most 1,000 characters. */
  send(tx: Kysely<Tables>, topic: SignalTopic, text: string): Promise<void>;
  /** Notifies the other processes at once, of something already committed. A message that cannot be sent is lost. */
  tell(topic: SignalTopic, text: string): void;
  /** Listens to other processes until the returned function is called. */
  hear(topic: SignalTopic, listener: (text: string) => void): () => void;
  /** Holds a name for as long as this process is connected. */
  announce(name: string): void;
  /** Whether some process holds the name, as a condition of a statement. */
  isPresent(name: Expression<string | null>): RawBuilder<SqlBool>;
  /**
   * Whether an unheld name means that its process is gone. False while processes may still be connecting, as this one
   * did.
   */
  seesOthers(): boolean;
};

/** For a database that no other process uses. */
export const noSignals: Signals = {
  send: async () => undefined,
  tell: () => undefined,
  hear: () => () => undefined,
  announce: () => undefined,
  isPresent: () => sql`1 = 1`,
  seesOthers: () => false,
};

/** Receives storage problems between requests, such as a lost connection. */
export type StorageLogger = { error(message: string, fields: Record<string, unknown>): void };
