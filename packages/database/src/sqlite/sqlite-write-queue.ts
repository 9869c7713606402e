import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import { DatabaseUnavailableError, diskFails, toDatabaseFailure } from "../storage-error.ts";
import type { Tables } from "../tables.ts";
import { createWriteScope } from "../write-scope.ts";
import type { SqliteConnection, SqliteHandles } from "./sqlite-handle.ts";

/**
 * The one writer of an SQLite file.
 *
 * 1. Writes run one after the other, in order of arrival, each in its own savepoint of a shared transaction.
 * 2. A write is settled only when the shared transaction is committed and on the disk (or was rolled back). The next
 *    batch runs while the disk works; one sync serves every batch that was committed before it began.
 * 3. A write that fails undoes only itself. When the shared transaction itself is lost, every write in it fails.
 * 4. A batch takes whoever waits, and whoever comes while it runs, for at most 10 ms of the event loop.
 * 5. Queries end in the microtask that asked for them. A write that is still open when the event loop turns has
 *    waited for something else, and would make everybody wait: it is rolled back and refused.
 */
export type SqliteWriteQueue = {
  write<T>(fn: (tx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Fails every write with this that has not begun, and every later one. */
  refuse(failure: Error): void;
  /** Resolves when everything asked for so far is settled; later writes are refused. */
  close(): Promise<void>;
};

type Job = {
  run(tx: Kysely<Tables>): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
};

/** How a job went inside a batch that is not committed yet. */
type Outcome = { job: Job; isDone: true; value: unknown } | { job: Job; isDone: false; error: unknown };

const maxBatchMs = 10;

export type SqliteWriteQueueDeps = {
  connection: SqliteConnection;
  handles: SqliteHandles;
  /** Resolves when what was committed before the call is on the disk. After a rejection no write is accepted. */
  sync(): Promise<void>;
  /** Milliseconds of any clock that never goes back. */
  now(): number;
};

export function createSqliteWriteQueue({ connection, handles, sync, now }: SqliteWriteQueueDeps): SqliteWriteQueue {
  const scope = createWriteScope();
  const savepoints = createSavepoints(connection, handles);
  const waiting: Job[] = [];
  let isScheduled = false;
  let isClosed = false;
  let failure: Error | undefined;
  const whenIdle: Array<() => void> = [];
  const durable = createDurableSettler(sync, {
    onIdle: () => endIfIdle(),
    onFailure: refuse,
  });

  function refuse(error: Error): void {
    failure ??= error;
    for (const job of waiting.splice(0)) job.reject(failure);
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    // Not at once: the other requests of this turn of the event loop join the batch.
    setImmediate(runBatch);
  }

  async function runBatch(): Promise<void> {
    const outcomes: Outcome[] = [];
    try {
      connection.run("begin immediate");
      await runJobs({ waiting, outcomes, connection, savepoints, now });
      connection.run("commit");
      durable.settle(outcomes);
    } catch (error) {
      savepoints.rollback();
      failAll(outcomes.length === 0 ? waiting.splice(0) : [], outcomes, error);
    }
    isScheduled = false;
    if (waiting.length > 0) schedule();
    else endIfIdle();
  }

  function endIfIdle(): void {
    if (isScheduled || durable.isBusy()) return;
    for (const resolve of whenIdle.splice(0)) resolve();
  }

  return {
    write<T>(fn: (tx: Kysely<Tables>) => Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        scope.assertOutside();
        if (isClosed) throw new Error("The database is closed.");
        if (failure !== undefined) throw failure;
        // In the caller's own asynchronous context, not in that of the write that started the batch.
        const run = AsyncLocalStorage.bind((tx: Kysely<Tables>) => scope.run(() => fn(tx)));
        waiting.push({ run, resolve: resolve as Job["resolve"], reject: (cause) => reject(toDatabaseFailure(cause)) });
        schedule();
      });
    },
    refuse,
    close() {
      isClosed = true;
      return new Promise((resolve) => {
        whenIdle.push(resolve);
        endIfIdle();
      });
    },
  };
}

type Batch = {
  waiting: Job[];
  /** Where each job's outcome is left, as far as the batch got. */
  outcomes: Outcome[];
  connection: SqliteConnection;
  savepoints: Savepoints;
  now(): number;
};

/** Runs who waits, and who comes meanwhile (rule 4). Throws when the transaction is lost. */
async function runJobs({ waiting, outcomes, connection, savepoints, now }: Batch): Promise<void> {
  const endAt = now() + maxBatchMs;
  const overrun = createOverrunGuard();
  try {
    do {
      const job = waiting.shift();
      if (job === undefined) return;
      const outcome = await savepoints.run(job, overrun);
      outcomes.push(outcome);
      if (!connection.isInTransaction()) throw new Error("SQLite ended the transaction.");
    } while (now() < endAt);
  } finally {
    overrun.stop();
  }
}

/** The transaction was lost, or BEGIN failed and nothing ran: everyone who is in it, or `waited` for it, fails. */
function failAll(waited: readonly Job[], outcomes: readonly Outcome[], cause: unknown): void {
  const error = new Error("The database did not accept the transaction; nothing of it was written.", { cause });
  for (const outcome of outcomes) outcome.job.reject(outcome.isDone ? error : outcome.error);
  for (const job of waited) job.reject(error);
}

type Savepoints = {
  /** Runs a job in a savepoint of the transaction that is open. Never rejects. */
  run(job: Job, overrun: OverrunGuard): Promise<Outcome>;
  /** Ends the transaction, if it is open, without a trace. */
  rollback(): void;
};

function createSavepoints(connection: SqliteConnection, handles: SqliteHandles): Savepoints {
  async function run(job: Job, overrun: OverrunGuard): Promise<Outcome> {
    const handle = handles.createWriter();
    try {
      connection.run("savepoint job");
      const value = await overrun.limit(job.run(handle.tx));
      connection.run("release job");
      return { job, isDone: true, value };
    } catch (error) {
      undoJob();
      return { job, isDone: false, error };
    } finally {
      handle.end();
    }
  }

  /** Afterwards either the job's savepoint is undone or the whole transaction is. */
  function undoJob(): void {
    // An error such as a full disk can end the whole transaction: then there is nothing to go back to.
    if (!connection.isInTransaction()) return;
    try {
      connection.run("rollback to job");
      connection.run("release job");
    } catch {
      rollback();
    }
  }

  function rollback(): void {
    try {
      if (connection.isInTransaction()) connection.run("rollback");
    } catch {
      // The next BEGIN says what is wrong, to the writes that wait for it.
    }
  }

  return { run, rollback };
}

type DurableSettler = { settle(outcomes: readonly Outcome[]): void; isBusy(): boolean };

/** Answers writes that are committed once they are on the disk. What is committed while the disk works goes next. */
function createDurableSettler(
  sync: () => Promise<void>,
  { onIdle, onFailure }: { onIdle(): void; onFailure(error: Error): void },
): DurableSettler {
  let committed: Outcome[] = [];
  let isSyncing = false;

  async function syncCommitted(): Promise<void> {
    isSyncing = true;
    while (committed.length > 0) {
      const outcomes = committed;
      committed = [];
      try {
        await sync();
        settle(outcomes);
      } catch (cause) {
        const error = new DatabaseUnavailableError(diskFails, cause);
        onFailure(error);
        for (const { job } of outcomes) job.reject(error);
      }
    }
    isSyncing = false;
    onIdle();
  }

  return {
    settle(outcomes) {
      for (const outcome of outcomes) committed.push(outcome);
      if (!isSyncing) void syncCommitted();
    },
    isBusy: () => isSyncing,
  };
}

function settle(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    if (outcome.isDone) outcome.job.resolve(outcome.value);
    else outcome.job.reject(outcome.error);
  }
}

/** Rejects what is still pending when the event loop turns (rule 5). */
type OverrunGuard = { limit<T>(promise: Promise<T>): Promise<T>; stop(): void };

function createOverrunGuard(): OverrunGuard {
  let refuse: (error: Error) => void = () => {};
  let timer = setImmediate(turn);
  function turn(): void {
    refuse(new Error("A write waited for something other than the database: do that before or after the write."));
    timer = setImmediate(turn);
  }
  return {
    limit<T>(promise: Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        refuse = reject;
        promise.then(resolve, reject);
      });
    },
    stop: () => clearImmediate(timer),
  };
}
