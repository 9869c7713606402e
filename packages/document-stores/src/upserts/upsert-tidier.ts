import type { Database, UpsertJobRow } from "@weft/database";
import type { Clock } from "@weft/engine";
import { toMoment } from "@weft/schema";
import { deleteEndedBefore, deleteSomeOfSet, endJob, findLoader, listEnding } from "../state/index.ts";
import type { UpsertSpec } from "./upsert-spec.ts";

export type UpsertTidierDeps = {
  database: Database;
  clock: Pick<Clock, "now" | "sleep">;
  /** How long upserts that are over are remembered, as runs are. 0: for ever. */
  retentionMs: number;
};

const isolation = { isolation: "read-committed" } as const;
const rowsAtOnce = 200;
/** Between two batches, so that other writers are never kept waiting for long. */
const pauseMs = 20;

/**
 * Removes, a little at a time, the chunks that upserts had staged when they failed or were cancelled, and upserts that
 * were accepted too long ago. The history of a store keeps its records.
 */
export function createUpsertTidier({ database, clock, retentionMs }: UpsertTidierDeps) {
  const write = <T>(fn: Parameters<typeof database.write<T>>[0]) => database.write(fn, isolation);

  /** Calls `remove` until nothing is left to be removed, or the signal ends it. */
  async function repeat(remove: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    while (await remove()) await clock.sleep(pauseMs, signal);
  }

  async function removeStaged({ runId, spec }: UpsertJobRow, signal: AbortSignal): Promise<void> {
    const { storeId, tasks } = JSON.parse(spec) as UpsertSpec;
    for (const { loaderId } of tasks) {
      const loader = await findLoader(database.read, storeId, loaderId);
      // It got as far as to finish this one: these chunks are the current ones.
      if (loader?.chunkSet === runId) continue;
      await repeat(() => write((tx) => deleteSomeOfSet(tx, { loaderId, chunkSet: runId }, rowsAtOnce)), signal);
    }
    await write((tx) => endJob(tx, runId, { state: "ended" }));
  }

  return async (signal: AbortSignal): Promise<void> => {
    for (const job of await listEnding(database.read, 20)) await removeStaged(job, signal);
    if (retentionMs === 0) return;
    const moment = toMoment(clock.now() - retentionMs);
    await repeat(() => write((tx) => deleteEndedBefore(tx, moment, rowsAtOnce)), signal);
  };
}
