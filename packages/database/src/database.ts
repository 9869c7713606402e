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
   * Reads outside a transaction. Sees what is committed. Never write through it what must be written once: SQLite
   * refuses, and on PostgreSQL a query whose connection ends is asked again.
   */
  readonly read: Kysely<Tables>;
  /**
   * Runs `fn` in a transaction and resolves when it is durable. On SQLite the writes of many callers share one
   * commit (and one fsync); a caller that fails is undone alone. `fn` must use only the handle it gets and must wait for
   * nothing but the database (SQLite refuses it otherwise). It leaves no traces outside, because it may run again: on
   * SQLite when another write of its commit fails, on PostgreSQL, up to eight times, when it loses against another write
   * or loses its connection before the commit.
   * Rejects with what `fn` rejects with, or with `DatabaseUnavailableError`; a write inside a write is refused.
   */
  write<T>(fn: (tx: Kysely<Tables>) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Writes without a decision between their statements, for hot paths: one round trip to PostgreSQL, shared with the
   * commits of other callers, as on SQLite. Resolves with the rows that its statements return when all of it is durable;
   * rejects with the first error, and then nothing of it was written.
   */
  commit<R>(commit: Commit): Promise<R[]>;
  /**
   * A number that is another one once a commit has changed one of these tables, so that what was read before it need not
   * be read again while it stays the same: exact for commits of this process, and for those of others as late as a signal
   * travels. Undefined while others cannot be heard.
   */
  changes(tables: readonly WatchedTable[]): number | undefined;
  readonly signals: Signals;
  /**
   * Gives some of the space that deleted rows took back to the file system, in a write that keeps no other waiting for
   * long. False: there is nothing more to give. PostgreSQL sees to it by itself.
   */
  giveBackSpace(): Promise<boolean>;
  /**
   * Leaves nothing in the files of what was deleted and committed before: SQLite writes over what it deletes, and its log
   * is copied and emptied here, unless someone still reads it. PostgreSQL's own vacuum sees to it.
   */
  eraseDeleted(): Promise<void>;
  /** How many connections work or rest, and how many queries wait for one. Undefined for SQLite, which has no pool. */
  connections(): { active: number; idle: number; waiting: number } | undefined;
  /** Waits for the writes that were asked for, then closes. Later writes are refused. */
  close(): Promise<void>;
};

/** Its statements are `read committed`, and their texts few: PostgreSQL prepares each once for a connection. */
export type Commit = {
  statements: readonly CompiledQuery[];
  /** Returns what the commit returned, or any row, once it has taken place: for a connection that is lost before it says so. */
  proof: CompiledQuery;
  /** Held until the commit ends, by one at a time. SQLite has one writer. */
  lock?: string | undefined;
};

/** What a signal is about. */
export type SignalTopic =
  | "run-cancel-requested"
  | "run-ready"
  | "run-followed-asked"
  | "run-followed"
  | "run-paused"
  | "work-due"
  | "table-changed";

/**
 * Short messages between the processes on one database. They hurry, and may be lost with a connection: a process that must know
 * looks in the tables as well.
 */
export type Signals = {
  /** Tells the other processes, when the transaction commits. `text`: at most 1,000 characters. */
  send(tx: Kysely<Tables>, topic: SignalTopic, text: string): Promise<void>;
  /** Tells the other processes at once, for what is committed already. What cannot be sent is lost. */
  tell(topic: SignalTopic, text: string): void;
  /** Hears what others send, until the returned function is called. */
  hear(topic: SignalTopic, listener: (text: string) => void): () => void;
  /** Holds a name for as long as this process is connected. */
  announce(name: string): void;
  /** Whether some process holds the name, as a condition of a statement. */
  isPresent(name: Expression<string | null>): RawBuilder<SqlBool>;
  /** Whether processes whose names are not held are gone. False while they may still be connecting, as this one did. */
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

/** Where storage reports what happens between requests, such as a lost connection. */
export type StorageLogger = { error(message: string, fields: Record<string, unknown>): void };
