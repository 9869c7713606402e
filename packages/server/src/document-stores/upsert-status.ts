import type { Database, UpsertJobRow } from "@weft/database";
import type { RunEvent, UpsertJob } from "@weft/schema";
import { lastChunkNo } from "./chunk.store.ts";
import { addProgress, noProgress, type UpsertProgress } from "./upsert-progress.ts";
import { toCounts, type UpsertOutcome } from "./upsert-spec.ts";

/** Events of a run after `seq`, in order. */
export type UpsertEvents = { eventsAfter(runId: string, seq: number): Promise<RunEvent[]> };

export type UpsertStatusDeps = {
  read: Database["read"];
  events: UpsertEvents;
  find(id: string): Promise<UpsertJobRow>;
  pause(): Promise<unknown>;
};

/** What people see of upserts, read from their journals. */
export type UpsertStatus = {
  of(row: UpsertJobRow): Promise<UpsertJob>;
  /** Again and again, as long as it changes; the last is of an upsert that is over. */
  watch(id: string, signal: AbortSignal): AsyncGenerator<UpsertJob>;
};

export function createUpsertStatus({ read, events, find, pause }: UpsertStatusDeps): UpsertStatus {
  async function toJob(row: UpsertJobRow, progress: UpsertProgress): Promise<UpsertJob> {
    const outcome = row.result === null ? undefined : (JSON.parse(row.result) as UpsertOutcome);
    const { loading, ...numbers } = progress;
    const split = loading && !outcome ? await lastChunkNo(read, { loaderId: loading, chunkSet: row.runId }) : 0;
    return {
      id: row.runId,
      storeId: row.storeId,
      ...numbers,
      chunks: numbers.chunks + split,
      state: outcome?.state ?? "RUNNING",
      failed: outcome?.state === "FINISHED" ? outcome.failed : numbers.failed,
      error: outcome?.error ?? null,
      results: outcome?.results.map(toCounts) ?? [],
      createdDate: row.createdDate,
    };
  }

  return {
    async of(row) {
      const progress = noProgress();
      for (const event of await events.eventsAfter(row.runId, 0)) addProgress(progress, event);
      return toJob(row, progress);
    },

    async *watch(id, signal) {
      const progress = noProgress();
      let seq = 0;
      let last = "";
      while (!signal.aborted) {
        // The row first: what it says of the end comes after every event.
        const row = await find(id);
        for (const event of await events.eventsAfter(id, seq)) {
          addProgress(progress, event);
          seq = event.seq;
        }
        const job = await toJob(row, progress);
        const text = JSON.stringify(job);
        if (text !== last) yield job;
        last = text;
        if (row.state !== "open") return;
        await pause();
      }
    },
  };
}
