import { AsyncLocalStorage } from "node:async_hooks";
import type { CompiledQuery, Kysely } from "kysely";
import { DatabaseUnavailableError, diskFails, toDatabaseFailure } from "../storage-error.ts";
import type { Tables } from "../tables.ts";
import { createWriteScope } from "../write-scope.ts";
import type { Checkpointer } from "./checkpointer.ts";
import type { SqliteConnection, SqliteHandles } from "./sqlite-handle.ts";

/**
 * The one writer of an SQLite file.
 *
 * 1. Writes run one after the other, in order of arrival, in a shared transaction.
 * 2. A write is settled only when the shared transaction is committed and on the disk (or was rolled back). The next
 *    batch runs while the disk works; one sync serves every batch that was committed before it began.
 * 3. A write that fails undoes only itself: the transaction is rolled back, and its writes run again, each in a savepoint
 *    of its own. When the shared transaction itself is lost, every write in it fails.
 * 4. A batch takes whoever waits, and whoever comes while it runs, for at most 10 ms of the event loop. In a crowd it
 *    waits two milliseconds for more.
 * 5. Queries end in the microtask that asked for them. A write that is still open when the event loop turns has
 *    waited for something else, and would make everybody wait: it is rolled back and refused.
 */
export type SqliteWriteQueue = {
  write<T>(fn: (tx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Resolves with the rows that the statements return. */
  commit<R>(statements: readonly CompiledQuery[]): Promise<R[]>;
  /** Rejects every write that has not started, and every later one, with this failure. */
  refuse(failure: Error): void;
  /** Resolves when everything requested so far is settled; later writes are rejected. */
  close(): Promise<void>;
};

type Job = {
  /** Statements alone, which need no handle and no promise; or code. */
  work: readonly CompiledQuery[] | ((tx: Kysely<Tables>) => Promise<unknown>);
  resolve(value: unknown): void;
  reject(error: unknown): void;
};

/** The result of a job inside a batch that is not committed yet. */
type Outcome = { job: Job; isDone: true; value: unknown } | { job: Job; isDone: false; error: unknown };

const maxBatchMs = 10;
/**
 * After a batch of this size the next one waits a moment for more: a commit costs as much as the writes of several
 * runs.
 */
const crowd = 3;
const lingerMs = 2;

export type SqliteWriteQueueDeps = {
  connection: SqliteConnection;
  handles: SqliteHandles;
  /** Resolves when everything committed before the call is on the disk. After a rejection no write is accepted. */
  sync(): Promise<void>;
  checkpointer?: Checkpointer;
  /** Milliseconds of any monotonic clock. */
  now(): number;
};

export function createSqliteWriteQueue(deps: SqliteWriteQueueDeps): SqliteWriteQueue {
  const { connection, handles, sync, checkpointer, now } = deps;
  const scope = createWriteScope();
  const perform = createPerformer(connection, handles);
  const waiting: Job[] = [];
  let isScheduled = false;
  let lastBatch = 0;
  let isClosed = false;
  let failure: Error | undefined;
  const whenIdle: Array<() => void> = [];
  const durable = createDurableSettler(sync, { onIdle: () => endIfIdle(), onFailure: refuse });
  const attempt = createAttempt({ connection, checkpointer, settle: durable.settle });

  function refuse(error: Error): void {
    failure ??= error;
    for (const job of waiting.splice(0)) job.reject(failure);
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    // Not at once: the other requests of this turn of the event loop join the batch.
    if (lastBatch < crowd) setImmediate(runBatch);
    else setTimeout(runBatch, lingerMs);
  }

  function enqueue<T>(work: Job["work"]): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      scope.assertOutside();
      if (isClosed) throw new Error("The database is closed.");
      if (failure !== undefined) throw failure;
      waiting.push({ work, resolve: resolve as Job["resolve"], reject: (cause) => reject(toDatabaseFailure(cause)) });
      schedule();
    });
  }

  async function runBatch(): Promise<void> {
    const restart = checkpointer?.busy();
    if (restart !== undefined) await restart;
    const taken: Job[] = [];
    let failureOfJob: unknown;
    const onFailure = (error: unknown) => {
      failureOfJob = error;
    };
    const isDone = await attempt(waiting, () => runTogether({ waiting, taken, perform, onFailure, now }));
    const [alone, ...others] = taken;
    if (!isDone && alone !== undefined && others.length === 0) {
      alone.reject(failureOfJob);
    } else if (!isDone) {
      await attempt(taken, () => runApart(connection, taken, perform));
      waiting.unshift(...taken);
    }
    isScheduled = false;
    lastBatch = taken.length;
    if (waiting.length > 0) schedule();
    else endIfIdle();
  }

  function endIfIdle(): void {
    if (isScheduled || durable.isBusy()) return;
    for (const resolve of whenIdle.splice(0)) resolve();
  }

  return {
    write<T>(fn: (tx: Kysely<Tables>) => Promise<T>) {
      // In the caller's own asynchronous context, not in that of the write that started the batch.
      return enqueue<T>(AsyncLocalStorage.bind((tx: Kysely<Tables>) => scope.run(() => fn(tx))));
    },
    commit: enqueue,
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

type Committing = {
  connection: SqliteConnection;
  checkpointer: Checkpointer | undefined;
  settle(outcomes: Outcome[]): void;
};

/** Commits what `run` did for some of the jobs. False: it wants them to run again, and nothing was written. */
type Attempt = (jobs: Job[], run: () => Promise<Outcome[] | undefined>) => Promise<boolean>;

function createAttempt({ connection, checkpointer, settle }: Committing): Attempt {
  return async (jobs, run) => {
    let outcomes: Outcome[] | undefined;
    try {
      connection.run("begin immediate");
      outcomes = await run();
      if (outcomes === undefined) {
        rollback(connection);
        return false;
      }
      if (!connection.isInTransaction()) throw new Error("SQLite ended the transaction.");
      connection.run("commit");
      checkpointer?.committed();
      settle(outcomes);
    } catch (error) {
      rollback(connection);
      failAll(outcomes === undefined ? jobs.splice(0) : [], outcomes ?? [], error);
    }
    return true;
  };
}

/** Runs a job in the open transaction; its promise, if any, must settle before the event loop turns. */
type Perform = (job: Job, overrun: OverrunGuard) => unknown;

function createPerformer(connection: SqliteConnection, handles: SqliteHandles): Perform {
  async function performCode(fn: Exclude<Job["work"], readonly CompiledQuery[]>, overrun: OverrunGuard) {
    const handle = handles.createWriter();
    try {
      return await overrun.limit(fn(handle.tx));
    } finally {
      handle.end();
    }
  }
  return ({ work }, overrun) =>
    typeof work === "function"
      ? performCode(work, overrun)
      : work.flatMap((statement) => connection.execute(statement).rows);
}

type Batch = {
  waiting: Job[];
  /** Started jobs, including the one that failed. */
  taken: Job[];
  perform: Perform;
  onFailure(error: unknown): void;
  now(): number;
};

/** Runs the waiting jobs, and those that arrive meanwhile (rule 4). Undefined: a job failed. */
async function runTogether({ waiting, taken, perform, onFailure, now }: Batch): Promise<Outcome[] | undefined> {
  const outcomes: Outcome[] = [];
  const endAt = now() + maxBatchMs;
  const overrun = createOverrunGuard();
  try {
    do {
      const job = waiting.shift();
      if (job === undefined) break;
      taken.push(job);
      const performed = perform(job, overrun);
      outcomes.push({ job, isDone: true, value: performed instanceof Promise ? await performed : performed });
    } while (now() < endAt);
    return outcomes;
  } catch (error) {
    onFailure(error);
    return undefined;
  } finally {
    overrun.stop();
  }
}

/**
 * Runs jobs again, each in a savepoint, so that one that fails is rolled back alone. Leaves in `jobs` those that were
 * not started because the transaction was lost.
 */
async function runApart(connection: SqliteConnection, jobs: Job[], perform: Perform): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const overrun = createOverrunGuard();
  try {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const again = job;
      outcomes.push(await runInSavepoint(connection, again, () => perform(again, overrun)));
      if (!connection.isInTransaction()) break;
    }
    return outcomes;
  } finally {
    overrun.stop();
  }
}

async function runInSavepoint(connection: SqliteConnection, job: Job, run: () => unknown): Promise<Outcome> {
  try {
    connection.run("savepoint job");
    const value = await run();
    connection.run("release job");
    return { job, isDone: true, value };
  } catch (error) {
    undoSavepoint(connection);
    return { job, isDone: false, error };
  }
}

/** Afterwards either the job's savepoint is rolled back or the whole transaction is. */
function undoSavepoint(connection: SqliteConnection): void {
  // An error such as a full disk can end the whole transaction: then there is nothing to roll back to.
  if (!connection.isInTransaction()) return;
  try {
    connection.run("rollback to job");
    connection.run("release job");
  } catch {
    rollback(connection);
  }
}

function rollback(connection: SqliteConnection): void {
  try {
    if (connection.isInTransaction()) connection.run("rollback");
  } catch {
    // The next BEGIN reports the problem to the writes that wait for it.
  }
}

/** The transaction was lost, or BEGIN failed and nothing ran: every job in it, or that `waited` for it, fails. */
function failAll(waited: readonly Job[], outcomes: readonly Outcome[], cause: unknown): void {
  const error = new Error("The database did not accept the transaction; nothing of it was written.", { cause });
  for (const outcome of outcomes) outcome.job.reject(outcome.isDone ? error : outcome.error);
  for (const job of waited) job.reject(error);
}

type DurableSettler = { settle(outcomes: readonly Outcome[]): void; isBusy(): boolean };

/** Answers committed writes once they are on the disk. What is committed while the disk works goes next. */
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
