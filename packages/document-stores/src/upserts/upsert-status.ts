import { type RunEvent, toJsonObject, type UpsertFailure, type UpsertJob } from "@weft/schema";
import { lastChunkNo } from "../state/chunk.store.ts";
import { toCounts, type UpsertOutcome } from "../state/upsert-job.store.ts";
import type { StoreContext } from "../store-context.ts";
import type { UpsertJobRow } from "../tables.ts";
import { loadEffect, writeEffect } from "./upsert-node.ts";

/** Events of a run after `seq`, in order. */
export type UpsertEvents = { eventsAfter(runId: string, seq: number): Promise<RunEvent[]> };

/** The status of upserts, read from their journals. */
export type UpsertStatus = {
  of(row: UpsertJobRow): Promise<UpsertJob>;
  /** Yields every change; the last one is of an ended upsert. */
  watch(id: string, signal: AbortSignal): AsyncGenerator<UpsertJob>;
};

export function createUpsertStatus(
  { database: { read } }: StoreContext,
  events: UpsertEvents,
  { find, pause }: { find(id: string): Promise<UpsertJobRow>; pause(): Promise<unknown> },
): UpsertStatus {
  async function toJob(row: UpsertJobRow, progress: UpsertProgress): Promise<UpsertJob> {
    const outcome: UpsertOutcome | undefined = row.result === null ? undefined : JSON.parse(row.result);
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
        // Read the row first: an end that it shows comes after every event.
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

/** Progress of an upsert, from its journal. */
type UpsertProgress = {
  documents: number;
  chunks: number;
  /** Chunks to be embedded and written, of those loaded so far. */
  planned: number;
  embedded: number;
  written: number;
  failed: UpsertFailure[];
  /** The loader whose documents are being loaded now. */
  loading: string | undefined;
};

function noProgress(): UpsertProgress {
  return { documents: 0, chunks: 0, planned: 0, embedded: 0, written: 0, failed: [], loading: undefined };
}

/** Applies one event. */
function addProgress(progress: UpsertProgress, event: RunEvent): void {
  if (event.type !== "effect-started" && event.type !== "effect-finished") return;
  const { effectKey } = event;
  if (event.type === "effect-started") {
    if (effectKey.startsWith(loadEffect)) progress.loading = effectKey.slice(loadEffect.length);
    return;
  }
  if (!event.outcome.ok) return;
  const value = toJsonObject(event.outcome.value);
  if (effectKey.startsWith(loadEffect)) {
    progress.loading = undefined;
    progress.documents += Number(value.documents ?? 0);
    progress.chunks += Number(value.chunks ?? 0);
    progress.planned += Number(value.planned ?? 0);
    progress.failed = progress.failed.concat((value.failures ?? []) as UpsertFailure[]);
  } else if (effectKey.startsWith(writeEffect)) {
    progress.embedded += Number(value.embedded ?? 0);
    progress.written += Number(value.written ?? 0);
  }
}
