import type { Pool, PoolClient, QueryResult } from "pg";
import type { Commit } from "../database.ts";
import { isConnectionLost, isConstraintViolation, toDatabaseFailure } from "../storage-error.ts";
import { retryLost } from "./retry.ts";

/**
 * Group commit for PostgreSQL.
 *
 * 1. Commits of one turn of the event loop, and those that come while the flights before them are under way, share a
 *    transaction. All their statements leave in one flight, and one answer comes back.
 * 2. A commit that fails undoes only itself: the transaction is rolled back, and its commits run again one by one.
 * 3. A lost connection leaves open whether a commit took place: its `proof` is asked before it runs again.
 */
export type CommitQueue = {
  commit(commit: Commit): Promise<Row[]>;
  /** Resolves when everything requested so far is settled. */
  close(): Promise<void>;
};

type Row = Record<string, unknown>;
type Job = Commit & { settled: PromiseWithResolvers<Row[]> };

/** Limits how many commits wait for each other. */
const maxJobs = 64;
/**
 * `pool`: of pipelined connections, on which a query is sent before earlier ones are answered. `maxFlights`: while one
 * is in flight the next is gathered; a second one keeps the server busy meanwhile.
 */
export function createCommitQueue(pool: Pool, maxFlights: number): CommitQueue {
  const waiting: Job[] = [];
  const underWay = new Set<Promise<unknown>>();
  let flights = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || flights >= maxFlights) return;
    isScheduled = true;
    // Not at once: the other requests of this turn of the event loop join the flight.
    setImmediate(depart);
  }

  function depart(): void {
    isScheduled = false;
    flights += 1;
    void land(pool, waiting.splice(0, maxJobs)).finally(() => {
      flights -= 1;
      schedule();
    });
    schedule();
  }

  return {
    commit(commit) {
      const settled = Promise.withResolvers<Row[]>();
      waiting.push({ ...commit, settled });
      underWay.add(settled.promise);
      const forget = () => void underWay.delete(settled.promise);
      settled.promise.then(forget, forget);
      schedule();
      return settled.promise;
    },
    async close() {
      await Promise.allSettled(underWay);
    },
  };
}

/** Reports each job's result; never rejects. */
async function land(pool: Pool, jobs: readonly Job[]): Promise<void> {
  try {
    const rows = await fly(pool, jobs);
    for (const [index, job] of jobs.entries()) job.settled.resolve(rows[index] ?? []);
  } catch (error) {
    await Promise.all(jobs.map((job) => landAlone(pool, job, isConnectionLost(error))));
  }
}

/** `isOpen`: an earlier flight lost its connection, and may have arrived. */
async function landAlone(pool: Pool, job: Job, isOpen: boolean): Promise<void> {
  let isUnknown = isOpen;
  const attempt = async () => {
    const proven = isUnknown ? await findProof(pool, job) : undefined;
    if (proven !== undefined) return proven;
    try {
      return (await fly(pool, [job]))[0] ?? [];
    } catch (error) {
      // The server may have finished the earlier flight after it was asked.
      const late = isUnknown && isConstraintViolation(error) ? await findProof(pool, job) : undefined;
      isUnknown ||= isConnectionLost(error);
      if (late === undefined) throw error;
      return late;
    }
  };
  try {
    job.settled.resolve(await retryLost(attempt));
  } catch (error) {
    job.settled.reject(toDatabaseFailure(error));
  }
}

async function findProof(pool: Pool, { proof }: Job): Promise<Row[] | undefined> {
  const { rows } = await pool.query<Row>(proof.sql, [...proof.parameters]);
  return rows.length > 0 ? rows : undefined;
}

/** All in one transaction and one round trip. Resolves with the rows of each job; rejects with the first error. */
async function fly(pool: Pool, jobs: readonly Job[]): Promise<Row[][]> {
  const client = await pool.connect();
  let lost = false;
  try {
    const begun = client.query("begin isolation level read committed");
    const locked = lock(client, jobs);
    const done = jobs.map(({ statements }) =>
      statements.map(({ sql, parameters }) => client.query<Row>(sql, [...parameters])),
    );
    const committed = client.query("commit", []);
    const sent: Promise<QueryResult>[] = [begun, ...locked, ...done.flat(), committed];
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
    if ((await committed).command !== "COMMIT") throw new Error("PostgreSQL rolled the transaction back.");
    return await Promise.all(done.map(async (results) => (await Promise.all(results)).flatMap(({ rows }) => rows)));
  } catch (error) {
    lost = isConnectionLost(error);
    throw error;
  } finally {
    client.release(lost);
  }
}

/** In a fixed order, whatever the order of the jobs, so that two flights never deadlock. */
function lock(client: PoolClient, jobs: readonly Job[]): Promise<QueryResult>[] {
  const keys = [...new Set(jobs.flatMap((job) => job.lock ?? []))].sort();
  if (keys.length === 0) return [];
  const text = "select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest($1::text[]) as keys(key)";
  return [client.query(text, [keys])];
}
