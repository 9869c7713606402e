import type { Tables } from "@weft/database";
import type { CompiledFlow } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import type { RunService } from "@weft/run-host";
import {
  isErrorCode,
  type RunError,
  type RunEvent,
  toJsonObject,
  toMoment,
  type UpsertFailure,
  type UpsertJob,
  type UpsertResult,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import { lastChunkNo, readAdded } from "../state/chunk.store.ts";
import { lockStore } from "../state/document-store.store.ts";
import {
  findJob,
  findOpenJob,
  insertJob,
  listJobs,
  listNeverBegun,
  listOpenJobs,
  toCounts,
  type UpsertOutcome,
  type UpsertSpec,
} from "../state/upsert-job.store.ts";
import type { StoreContext } from "../store-context.ts";
import type { DocumentStoreRow, UpsertJobRow } from "../tables.ts";
import type { UpsertHistoryService } from "./upsert-history.service.ts";
import { compileUpsertFlow, loadEffect, upsertStarted, upsertVersionId, writeEffect } from "./upsert-node.ts";
import { createUpsertTidier, endUpsert, settleUpsert } from "./upsert-settlement.ts";

export type UpsertJobsOptions = {
  runs: RunService;
  /** Events of a run after `seq`, in order. */
  events: { eventsAfter(runId: string, seq: number): Promise<RunEvent[]> };
  history: UpsertHistoryService;
  nodeTypes: NodeRegistry;
  /** How long ended upserts are kept, as runs are. 0: forever. */
  retentionMs: number;
  /** Aborted when the process stops: nobody waits here any more. */
  stopping: AbortSignal;
};

export type UpsertPlan = {
  /** Default: a new one. One that names an upsert that failed counts as absent. */
  runId?: string;
  storeId: string;
  /** The requested agent; empty for the store itself. */
  agentId: string;
  /** Equal for equal requests. */
  requestHash: string;
  /**
   * Decides the work and stores it with the loaders, in the transaction that accepts the upsert. Not called for a
   * request that attaches to a running one.
   */
  prepare(tx: Kysely<Tables>, store: DocumentStoreRow): Promise<Omit<UpsertSpec, "storeId">>;
};

/** Upserts: each is a run on the journal; these are the operations on it. Unknown ids are `not-found`. */
export type UpsertJobs = {
  /**
   * Accepts an upsert, durably, and resolves with its id; for a request that is already running, with its id. Rejects
   * with `not-found`, `at-capacity` and what `prepare` rejects with.
   */
  begin(plan: UpsertPlan): Promise<string>;
  /** The result of each loader once the upsert has ended, in whichever process. Rejects with the upsert's error. */
  result(id: string): Promise<UpsertResult[]>;
  /** As `result`; undefined for an unknown id, and for an upsert that failed with something that may pass. */
  recall(id: string): Promise<UpsertResult[] | undefined>;
  status(id: string): Promise<UpsertJob>;
  /** Yields every change of its status; the last one is of an ended upsert. */
  watch(id: string, signal: AbortSignal): AsyncGenerator<UpsertJob>;
  /** Newest first. */
  list(storeId: string): Promise<UpsertJob[]>;
  /** Requests its cancellation and waits a while for its end. No effect on one that has ended. */
  cancel(id: string): Promise<UpsertJob>;
  /** Ends all upserts of a store. */
  cancelOfStore(storeId: string): Promise<void>;
  /** Ends upserts that were accepted before `at`, in milliseconds, and whose process ended before they began. */
  sweep(at: number): Promise<void>;
  /** Removes the leftovers of ended upserts, a little at a time. */
  tidy(signal: AbortSignal): Promise<void>;
  /** The effects of an upsert's end, in its transaction. */
  settle(run: { id: string }, events: readonly RunEvent[]): (tx: Kysely<Tables>) => Promise<void>;
  /** The flows of upserts by the version id of their runs. */
  flows: ReadonlyMap<string, CompiledFlow>;
};

const isolation = { isolation: "read-committed" } as const;
const pollEveryMs = 250;
const maxAddedDocs = 1_000;
/** Longest wait of a cancelling request for the upsert's end. */
const patienceMs = 15_000;

export function createUpsertJobs(
  context: StoreContext,
  { runs, events, history, nodeTypes, retentionMs, stopping }: UpsertJobsOptions,
): UpsertJobs {
  const { database, clock, ids, logger } = context;
  const { read } = database;
  const pause = (ms = pollEveryMs) => clock.sleep(ms, stopping).catch(() => undefined);
  const flow = compileUpsertFlow(context, nodeTypes);
  const beginning = createBeginning(context, { runs, history, flow });
  const status = createUpsertStatus(context, events, { find: existing, pause: () => pause() });

  async function existing(id: string): Promise<UpsertJobRow> {
    const job = await findJob(read, id);
    if (job === undefined) throw new WeftError("not-found", { params: { resource: "upsert", id } });
    return job;
  }

  async function ended(id: string): Promise<{ job: UpsertJobRow; outcome: UpsertOutcome }> {
    for (;;) {
      // A run of this process announces its end; of another process's, or one taken over, only the row shows it.
      await beginning.endOf(id);
      const job = await existing(id);
      if (job.result !== null) return { job, outcome: JSON.parse(job.result) };
      if (stopping.aborted) throw new WeftError("shutting-down");
      await pause();
    }
  }

  async function result(id: string): Promise<UpsertResult[]> {
    const { job, outcome } = await ended(id);
    if (outcome.error) throw toError(outcome.error);
    return Promise.all(
      outcome.results.map(async (result) => {
        const added = await readAdded(read, { loaderId: result.docId, chunkSet: id }, maxAddedDocs);
        const addedDocs = added.map((row) => ({ pageContent: row.pageContent, metadata: JSON.parse(row.metadata) }));
        return { ...result, addedDocs, storeId: job.storeId };
      }),
    );
  }

  async function cancel(id: string): Promise<UpsertJob> {
    await existing(id);
    await runs.cancel(id);
    const until = clock.now() + patienceMs;
    while ((await existing(id)).state === "open" && clock.now() < until && !stopping.aborted) await pause(25);
    return status.of(await existing(id));
  }

  return {
    async begin(plan) {
      const { runId, isNew } = await beginning.accept(plan, ids.uuid());
      if (isNew) await beginning.start(runId);
      return runId;
    },
    result,
    async recall(id) {
      if ((await findJob(read, id)) === undefined) return undefined;
      const { outcome } = await ended(id);
      return outcome.error?.retryable ? undefined : result(id);
    },
    status: async (id) => status.of(await existing(id)),
    watch: (id, signal) => status.watch(id, AbortSignal.any([signal, stopping])),
    list: async (storeId) => Promise.all((await listJobs(read, storeId, 50)).map(status.of)),
    cancel,
    async cancelOfStore(storeId) {
      for (const { runId } of await listOpenJobs(read, storeId)) await cancel(runId);
    },
    async sweep(at) {
      for (const { runId } of await listNeverBegun(read, toMoment(at))) {
        logger.warn("upsert-never-begun", { runId });
        await beginning.giveUp(runId, "The server stopped before it began the upsert. Try again.");
      }
    },
    tidy: createUpsertTidier({ database, clock, retentionMs }),
    settle: (run, runEvents) => (tx) => settleUpsert(context, tx, { run, events: runEvents, history }),
    flows: new Map([[upsertVersionId, flow]]),
  };
}

/** Creates upserts: accepted in one transaction, begun as runs in the next. */
function createBeginning(
  context: StoreContext,
  { runs, history, flow }: { runs: RunService; history: UpsertHistoryService; flow: CompiledFlow },
) {
  const { database, clock } = context;
  /** Ends of the runs of this process. */
  const here = new Map<string, Promise<unknown>>();

  async function giveUp(runId: string, message: string): Promise<void> {
    const error = { code: "flow-node-failed", message, retryable: true };
    const outcome: UpsertOutcome = { state: "FAILED", results: [], failed: [], error };
    await database.write(async (tx) => {
      const job = await findJob(tx, runId);
      if (job?.state === "open") await endUpsert(context, tx, { job, outcome, history });
    }, isolation);
  }

  return {
    giveUp,
    endOf: async (id: string) => here.get(id),

    accept(plan: UpsertPlan, newId: string): Promise<{ runId: string; isNew: boolean }> {
      return database.write(async (tx) => {
        const store = await lockStore(tx, plan.storeId);
        const known = plan.runId === undefined ? undefined : await findJob(tx, plan.runId);
        if (known !== undefined && !hasFailed(known)) return { runId: known.runId, isNew: false };
        const open = await findOpenJob(tx, plan.storeId, plan.requestHash);
        if (open !== undefined) return { runId: open.runId, isNew: false };
        const runId = (known === undefined ? plan.runId : undefined) ?? newId;
        const spec: UpsertSpec = { storeId: store.id, ...(await plan.prepare(tx, store)) };
        const { storeId, agentId, requestHash } = plan;
        const createdDate = toMoment(clock.now());
        const row = { runId, storeId, agentId, requestHash, createdDate, result: null, spec: JSON.stringify(spec) };
        await insertJob(tx, { ...row, state: "open" });
        return { runId, isNew: true };
      }, isolation);
    },

    async start(runId: string): Promise<void> {
      try {
        const run = { runId, begin: upsertStarted(runId), flow, warnings: [] };
        const { handle, startedElsewhere } = await runs.admit({ fixedId: runId, prepare: () => run, live: false });
        const over = handle.done.catch(() => undefined).finally(() => here.delete(runId));
        here.set(runId, over);
        await startedElsewhere;
      } catch (cause) {
        await giveUp(runId, "The server could not begin the upsert. Try again.");
        throw cause;
      }
    },
  };
}

function hasFailed({ result }: UpsertJobRow): boolean {
  return result !== null && (JSON.parse(result) as UpsertOutcome).state !== "FINISHED";
}

function toError({ code, message, retryable, upstream }: RunError): WeftError {
  const known = isErrorCode(code) ? code : "flow-node-failed";
  return new WeftError(known, { message, retryable, ...(upstream && { upstream: toUpstream(upstream) }) });
}

function toUpstream({ status, retryAfterSeconds }: NonNullable<RunError["upstream"]>) {
  return { status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

/** The status of upserts, read from their journals. */
function createUpsertStatus(
  { database: { read } }: StoreContext,
  events: UpsertJobsOptions["events"],
  { find, pause }: { find(id: string): Promise<UpsertJobRow>; pause(): Promise<unknown> },
) {
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
    async of(row: UpsertJobRow): Promise<UpsertJob> {
      const progress = noProgress();
      for (const event of await events.eventsAfter(row.runId, 0)) addProgress(progress, event);
      return toJob(row, progress);
    },

    async *watch(id: string, signal: AbortSignal): AsyncGenerator<UpsertJob> {
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
