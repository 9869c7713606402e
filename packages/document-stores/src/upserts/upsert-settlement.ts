import type { Database, Tables } from "@weft/database";
import type { Sleeper, WallClock } from "@weft/engine/ports/clock";
import { isTerminalEvent, type JsonObject, type RunEvent, toMoment, type UpsertCounts } from "@weft/schema";
import type { Kysely } from "kysely";
import { deleteOtherFiles, fileIds } from "../files/document-files.ts";
import { deleteFingerprints } from "../files/fingerprint.store.ts";
import { askCheck } from "../questions/index.ts";
import { deleteSomeOfSet } from "../state/chunk.store.ts";
import { findLoader, holdConfig, listLoaderStates, updateLoader } from "../state/loader.store.ts";
import {
  deleteEndedBefore,
  endJob,
  findJob,
  listEnding,
  type TaskResult,
  toCounts,
  type UpsertOutcome,
  type UpsertSpec,
} from "../state/upsert-job.store.ts";
import type { StoreContext } from "../store-context.ts";
import { readChoice } from "../stores/store-backend.ts";
import type { UpsertJobRow } from "../tables.ts";
import type { UpsertHistoryService } from "./upsert-history.service.ts";

/**
 * Settles an ended upsert, in the transaction of its last event: the job is over, loaders that it did not finish go
 * back to the state before, and the history has a record if and only if it was completed.
 */
export async function settleUpsert(
  context: StoreContext,
  tx: Kysely<Tables>,
  { run, events, history }: { run: { id: string }; events: readonly RunEvent[]; history: UpsertHistoryService },
): Promise<void> {
  const end = events.at(-1);
  if (end === undefined || !isTerminalEvent(end)) return;
  const job = await findJob(tx, run.id);
  if (job === undefined || job.state !== "open") return;
  await endUpsert(context, tx, { job, outcome: toOutcome(end), history });
}

/** As `settleUpsert`, for an upsert whose run never began. */
export async function endUpsert(
  { database: { dialect }, clock }: StoreContext,
  tx: Kysely<Tables>,
  { job, outcome, history }: { job: UpsertJobRow; outcome: UpsertOutcome; history: UpsertHistoryService },
): Promise<void> {
  const spec: UpsertSpec = JSON.parse(job.spec);
  // The chunks staged by an uncompleted upsert are removed later.
  const state = outcome.state === "FINISHED" ? "ended" : "ending";
  await endJob(tx, job.runId, { state, result: JSON.stringify(outcome) });
  const loaders = new Map((await listLoaderStates(tx, spec.storeId)).map((loader) => [loader.id, loader]));
  let isPartial = false;
  for (const { loaderId, before } of spec.tasks) {
    const loader = loaders.get(loaderId);
    if (loader === undefined) continue;
    await removeReplacedFiles(tx, loaderId);
    if (loader.chunkSet === job.runId) {
      isPartial ||= outcome.state !== "FINISHED";
      continue;
    }
    const own = outcome.results.find(({ docId }) => docId === loaderId);
    const error = outcome.error?.message ?? own?.failed[0]?.message ?? "";
    await updateLoader(tx, { id: loaderId, status: before, error });
  }
  if (!spec.embeds) return;
  const { numSkipped, ...changed } = sumOf(outcome.results);
  // What searches of the store find has changed.
  if (isPartial || Object.values(changed).some((count) => count > 0)) {
    await askCheck(tx, { dialect, now: clock.now }, spec.storeId);
  }
  if (outcome.state !== "FINISHED") return;
  const result = { ...changed, numSkipped, failed: outcome.failed };
  const flowData = settingsOf(spec, outcome.results);
  const owners = job.agentId === "" ? [spec.storeId] : [spec.storeId, job.agentId];
  for (const chatflowid of owners) await history.record(tx, { chatflowid, result, flowData });
}

/** Removes files that a newer upload replaced during the upsert. The next upsert reads the loader as it is now. */
async function removeReplacedFiles(tx: Kysely<Tables>, loaderId: string): Promise<void> {
  const config = await holdConfig(tx, loaderId);
  if (config !== undefined) await deleteOtherFiles(tx, loaderId, fileIds(JSON.parse(config)));
}

/** Sums the counts of several loaders. */
export function sumOf(results: readonly UpsertCounts[]) {
  const sum = (count: keyof UpsertCounts) => results.reduce((total, result) => total + result[count], 0);
  return {
    numAdded: sum("numAdded"),
    numUpdated: sum("numUpdated"),
    numDeleted: sum("numDeleted"),
    numSkipped: sum("numSkipped"),
  };
}

function toOutcome(end: RunEvent): UpsertOutcome {
  switch (end.type) {
    case "run-completed": {
      const { results } = end.json as { results: TaskResult[] };
      return { state: "FINISHED", results, failed: results.flatMap(({ failed }) => failed), error: null };
    }
    case "run-failed":
      return { state: "FAILED", results: [], failed: [], error: end.error };
    default: {
      const error = { code: "flow-cancelled", message: "The upsert was cancelled.", retryable: true };
      return { state: "CANCELLED", results: [], failed: [], error };
    }
  }
}

/** The upsert's settings, without any secrets. */
function settingsOf(spec: UpsertSpec, results: readonly TaskResult[]): JsonObject {
  return {
    storeId: spec.storeId,
    embedding: readChoice(spec.embeddingConfig).name ?? "embedded",
    vectorStore: readChoice(spec.vectorStoreConfig).name ?? "embedded",
    loaders: results.map(toCounts),
  };
}

const isolation = { isolation: "read-committed" } as const;
const rowsAtOnce = 200;
/** Between two batches, so that other writers never wait long. */
const pauseMs = 20;

/**
 * Removes, a little at a time, the chunks staged by failed or cancelled upserts, and upserts past their retention. The
 * history of a store keeps its records. `retentionMs`: how long ended upserts are kept, as runs are; 0: forever.
 */
export function createUpsertTidier({
  database,
  clock,
  retentionMs,
}: {
  database: Database;
  clock: WallClock & Sleeper;
  retentionMs: number;
}) {
  const write = <T>(fn: Parameters<typeof database.write<T>>[0]) => database.write(fn, isolation);

  /** Calls `remove` until nothing is left, or the signal aborts. */
  async function repeat(remove: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    while (await remove()) await clock.sleep(pauseMs, signal);
  }

  async function removeStaged({ runId, spec }: UpsertJobRow, signal: AbortSignal): Promise<void> {
    const { storeId, tasks }: UpsertSpec = JSON.parse(spec);
    for (const { loaderId } of tasks) {
      const loader = await findLoader(database.read, storeId, loaderId);
      // The upsert finished this loader: these chunks are the current ones.
      if (loader?.chunkSet === runId) continue;
      await repeat(() => write((tx) => deleteSomeOfSet(tx, { loaderId, chunkSet: runId }, rowsAtOnce)), signal);
      await write((tx) => deleteFingerprints(tx, { loaderId, chunkSet: runId }));
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
