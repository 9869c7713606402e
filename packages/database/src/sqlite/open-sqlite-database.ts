import { closeSync, fdatasync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Kysely } from "kysely";
import { type Commit, type Database, noSignals } from "../database.ts";
import { migrate } from "../migrate.ts";
import { DatabaseUnavailableError, isDamage, StorageError, toDatabaseFailure } from "../storage-error.ts";
import { createTableChanges, type TableChanges } from "../table-changes.ts";
import { createCheckpointer } from "./checkpointer.ts";
import { lockDirectory } from "./directory-lock.ts";
import { keepPrivate } from "./private-file.ts";
import {
  createSqliteDialect,
  createSqliteHandles,
  openSqliteConnection,
  type SqliteConnection,
} from "./sqlite-handle.ts";
import { createSqliteWriteQueue } from "./sqlite-write-queue.ts";

/**
 * Opens `<dataDir>/weft.db`, created (the directory and the files readable by their owner alone) and migrated as
 * needed.
 * Rejects with `StorageError` if another process uses the directory, or the file is damaged or of a newer version.
 */
export async function openSqliteDatabase(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(dataDir);
  const opened: Array<{ close(): void }> = [{ close: lock.release }];
  const closeAll = () => {
    for (const part of opened.splice(0).reverse()) part.close();
  };
  try {
    const path = join(dataDir, "weft.db");
    keepPrivate(path);
    const changes = createTableChanges();
    const writer = openWriter(path, changes.note);
    opened.push(writer);
    await migrate(new Kysely({ dialect: createSqliteDialect(writer) }), "sqlite");
    const log = openLogSync(path);
    opened.push(log);
    await log.sync();
    // Opened after the writer created the file, and closed before it: the last connection removes the log.
    const reader = openSqliteConnection({ path, readOnly: true });
    opened.push(reader);
    const largeReader = openSqliteConnection({ path, readOnly: true, cacheKib: 256 });
    opened.push(largeReader);
    return createDatabase({ path, writer, reader, largeReader, log, changes, closeAll });
  } catch (error) {
    closeAll();
    const failure = toDatabaseFailure(error);
    throw failure instanceof DatabaseUnavailableError ? new StorageError(failure.message, error) : error;
  }
}

type Parts = {
  path: string;
  writer: SqliteConnection;
  reader: SqliteConnection;
  largeReader: SqliteConnection;
  log: LogSync;
  changes: TableChanges;
  closeAll(): void;
};

function createDatabase({ path, writer, reader, largeReader, log, changes, closeAll }: Parts): Database {
  // After the first read or write that meets damage the file is not written any more.
  const refuse = (failure: DatabaseUnavailableError) => queue.refuse(failure);
  const watchedWriter = reportDamage(writer, refuse);
  const checkpointer = createCheckpointer({
    path,
    log: log.file,
    onFailure: () => writer.execute({ sql: "pragma wal_autocheckpoint = 1000", parameters: [] }),
  });
  const queue = createSqliteWriteQueue({
    connection: watchedWriter,
    handles: createSqliteHandles(watchedWriter),
    sync: log.sync,
    checkpointer,
    now: () => performance.now(),
  });
  return {
    dialect: "sqlite",
    read: createSqliteHandles(reportDamage(reader, refuse)).createReader(),
    readLarge: createSqliteHandles(reportDamage(largeReader, refuse)).createReader(),
    write: (fn) => queue.write(fn),
    commit: <R>({ statements }: Commit) => queue.commit<R>(statements),
    changes: changes.count,
    signals: noSignals,
    connections: () => undefined,
    async giveBackSpace() {
      if (numberOf(reader, "auto_vacuum") === 0 || numberOf(reader, "freelist_count") < keptPages + pagesAtOnce)
        return false;
      await queue.write(async () => writer.runToEnd(`pragma incremental_vacuum(${pagesAtOnce})`));
      return true;
    },
    eraseDeleted: checkpointer.empty,
    async close() {
      await queue.close();
      await checkpointer.close();
      closeAll();
    },
  };
}

function reportDamage(
  connection: SqliteConnection,
  report: (failure: DatabaseUnavailableError) => void,
): SqliteConnection {
  const watch = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      const failure = toDatabaseFailure(cause);
      if (isDamage(failure)) report(failure);
      throw cause;
    }
  };
  return {
    ...connection,
    run: (statement) => watch(() => connection.run(statement)),
    execute: (query) => watch(() => connection.execute(query)),
  };
}

/** Free pages kept for the next rows: 16 MiB. */
const keptPages = 4_096;
/** Pages that one write frees. */
const pagesAtOnce = 256;

function numberOf(connection: SqliteConnection, pragma: "auto_vacuum" | "freelist_count"): number {
  const { rows } = connection.execute<Record<string, number>>({ sql: `pragma ${pragma}`, parameters: [] });
  return rows[0]?.[pragma] ?? 0;
}

function openWriter(path: string, onChange: TableChanges["note"]): SqliteConnection {
  const writer = openSqliteConnection({ path, onChange, cacheKib: 8 * 1024 });
  // Only affects a file without pages; `npm run doctor -- --fix` converts older ones.
  writer.execute({ sql: "pragma auto_vacuum = incremental", parameters: [] });
  writer.execute({ sql: "pragma journal_mode = wal", parameters: [] });
  // COMMIT does not wait for the disk; the write queue does, beside the event loop, before it answers (G13).
  writer.execute({ sql: "pragma synchronous = normal", parameters: [] });
  // Deleted data is overwritten, so that no file and no backup of it keeps what someone had erased.
  writer.execute({ sql: "pragma secure_delete = on", parameters: [] });
  // The checkpointer does.
  writer.execute({ sql: "pragma wal_autocheckpoint = 0", parameters: [] });
  return writer;
}

/**
 * Flushes SQLite's write-ahead log to the disk without blocking the event loop.
 *
 * With `synchronous = normal` COMMIT writes the log and does not wait for the disk; SQLite itself waits for it before
 * it copies the log into the database file, so the file is always whole. What was committed before `sync` was called is
 * on the disk when it resolves: the promise of `synchronous = full`, kept beside the loop instead of inside it.
 */
type LogSync = {
  /** Rejects if the disk fails: the fate of everything written since the last success is then unknown. */
  sync(): Promise<void>;
  /** The log's descriptor. */
  readonly file: number;
  close(): void;
};

/** `path` is that of the database; its log must exist, and does after the first write. */
function openLogSync(path: string): LogSync {
  const log = openSync(`${path}-wal`, "r+");
  const syncLog = promisify(fdatasync);
  return { sync: () => syncLog(log), file: log, close: () => closeSync(log) };
}
