import type { Database } from "@weft/database";
import { inNameOf } from "@weft/documents";
import { type CompiledFlow, compileFlow, RunFailure, whyNotRunnable } from "@weft/engine";
import { defineNode, type NodeContext, type NodeRegistry } from "@weft/engine/node";
import { builtInPrefix, createTurnstile, noAgentId } from "@weft/run-host";
import { type Json, type JsonObject, type RunEventOf, type Share, type UpsertFailure, WeftError } from "@weft/schema";
import { z } from "zod";
import { findLoader, nextStatus, updateLoader } from "../state/loader.store.ts";
import { findJob, firstInLine, type TaskResult, type UpsertSpec, type UpsertTask } from "../state/upsert-job.store.ts";
import type { StoreContext } from "../store-context.ts";
import type { DocumentLoaderRow } from "../tables.ts";
import { removeOtherSets, type Staged, stageChunks } from "./stage-chunks.ts";
import {
  collectionOf,
  createOwnWrites,
  deleteOutdated,
  plannedBatches,
  type Writing,
  writeBatch,
} from "./write-chunks.ts";

/** Version id of upsert runs in place of an agent's: they are runs, but not executions of an agent. */
export const upsertVersionId = `${builtInPrefix}upsert`;

/** The longest time that a timer can wait: an upsert ends on its own or is cancelled. */
const wallTimeMs = 2_147_483_647;

/** The flow of an upsert: a start and the one step. */
export function compileUpsertFlow(stores: StoreContext, nodeTypes: NodeRegistry): CompiledFlow {
  const node = defineUpsertNode(stores);
  const position = { x: 0, y: 0 };
  const flow = compileFlow(
    JSON.stringify({
      weft: 1,
      nodes: [
        { id: "start", type: "start", version: 1, label: "Start", position, config: {} },
        { id: "upsert", type: node.type, version: 1, label: node.title, position, config: {} },
      ],
      edges: [{ id: "start-upsert", source: "start", sourcePort: "out", target: "upsert" }],
    }),
    { ...nodeTypes, [node.type]: node },
  );
  const why = whyNotRunnable(flow.findings);
  if (why !== undefined) throw new Error(why);
  return { ...flow, isEphemeral: true, limits: { wallTimeMs } };
}

/**
 * The first event of an upsert. It does not belong to an agent, although a store may have an agent's id. It has its own
 * session: the upserts of a store queue by themselves (U5), and a run in two queues could wait for one that waits for it.
 */
export function upsertStarted(runId: string): RunEventOf<"run-started"> {
  return {
    type: "run-started",
    agentId: noAgentId,
    flowVersionId: upsertVersionId,
    chatId: runId,
    sessionId: runId,
    chatType: "INTERNAL",
    userMessageId: runId,
    apiMessageId: runId,
    input: { question: "Upsert" },
    depth: 0,
  };
}

/** Upserts that a process works on at once. */
const upsertsAtOnce = 2;
/** Batches in flight: while one is written the next is embedded. */
const batchesAtOnce = 2;
const lineEveryMs = 100;

/**
 * An upsert's work, as the one step of a run. Its effects are the pieces that a crash may repeat.
 * - U1 `load` plans everything: what is added, updated, skipped and deleted is decided, and durable, before it ends.
 * - U2 Each `write` embeds and writes one batch of the plan. Ids are the plan's, so that a repetition changes nothing.
 * - U3 `delete` removes what is outdated only after everything new is there.
 * - U4 `finish` makes the new chunks the current ones. Until then people see the old ones.
 * - U5 Upserts of one store run one after the other, in whichever processes, in the order in which they were accepted.
 * - U6 One that waits for its turn holds nothing that another one waits for; only one whose turn it is takes a slot.
 * - U7 A process that stood still until another one went on with the upsert writes nothing more.
 */
function defineUpsertNode(stores: StoreContext) {
  const slots = createWorkSlots(upsertsAtOnce);
  return defineNode({
    type: "document-upsert",
    version: 1,
    title: "Upsert",
    summary: "Loads, splits, embeds and writes documents.",
    group: "action",
    config: z.object({}),
    mayRetry: false,
    async execute(context) {
      const spec = await readSpec(stores.database, context.run.runId);
      await takeTurn(stores, context, spec);
      const results = await slots.use(context.run, context.signal, () => runTasks(stores, context, spec));
      const json: JsonObject = { results };
      return { type: "completed", output: json, text: summaryOf(results), json };
    },
  });
}

async function runTasks(stores: StoreContext, context: NodeContext, spec: UpsertSpec): Promise<TaskResult[]> {
  const results: TaskResult[] = [];
  for (const task of spec.tasks) results.push(await runTask(stores, context, { spec, task }));
  return results;
}

/** Progress of an upsert as its effects report it. */
export const loadEffect = "load:";
export const writeEffect = "write:";

async function readSpec({ read }: Database, runId: string): Promise<UpsertSpec> {
  const job = await findJob(read, runId);
  if (job) return JSON.parse(job.spec);
  throw new WeftError("flow-invalid", { params: { reason: "this upsert was deleted. Start a new one." } });
}

async function takeTurn({ database, clock }: StoreContext, context: NodeContext, spec: UpsertSpec): Promise<void> {
  await context.effect(effect("turn", "read", spec.storeId), async ({ signal }) => {
    while ((await firstInLine(database.read, spec.storeId)) !== context.run.runId) {
      await clock.sleep(lineEveryMs, signal);
    }
    return null;
  });
}

type TaskRun = { spec: UpsertSpec; task: UpsertTask };

async function runTask(stores: StoreContext, context: NodeContext, { spec, task }: TaskRun): Promise<TaskResult> {
  const loader = await findLoader(stores.database.read, spec.storeId, task.loaderId);
  const none = { docId: task.loaderId, numAdded: 0, numUpdated: 0, numDeleted: 0, numSkipped: 0, failed: [] };
  if (loader === undefined) return none;
  const { runId } = context.run;
  const collection = spec.embeds ? await collectionOf(stores.backend, spec) : "";
  const own = createOwnWrites(stores.database, context.run);
  const writing: Writing = { runId, own, spec, loader, collection };
  try {
    const staged = await load(stores, context, { writing, task });
    if (spec.embeds) await write(stores, context, { writing, task });
    await finish(context, { writing, staged, task });
    const { numAdded, numUpdated, numDeleted, numSkipped, failures } = staged;
    return { docId: loader.id, numAdded, numUpdated, numDeleted, numSkipped, failed: failures };
  } catch (cause) {
    // One empty loader of many must not keep the others from being refreshed.
    if (spec.tasks.length === 1 || !isUnreadable(cause)) throw cause;
    const { code, message } = cause.error;
    return { ...none, failed: [{ source: loader.source, code, message }] };
  }
}

async function load(
  { database, loading }: StoreContext,
  context: NodeContext,
  { writing, task }: { writing: Writing; task: UpsertTask },
): Promise<Staged> {
  const { runId, own, loader, spec } = writing;
  const collection = spec.embeds ? writing.collection : undefined;
  const services = { ...loading, documents: inNameOf(context.run.share, loading.documents) };
  return context.effect(effect(`${loadEffect}${loader.id}`, "read", loader.source), ({ signal }) =>
    stageChunks(database, {
      own,
      services,
      runId,
      task,
      loader,
      collection,
      records: spec.records !== false,
      signal,
    }),
  );
}

async function write(
  stores: StoreContext,
  context: NodeContext,
  { writing, task }: { writing: Writing; task: UpsertTask },
): Promise<void> {
  const { loader } = writing;
  const underWay: Promise<Json>[] = [];
  let isFirst = true;
  const model = await stores.backend.embedder(writing.spec);
  for await (const rows of plannedBatches(stores.database, writing, model)) {
    // Both ends: if batches have another size after a restart, none is mistaken for a larger one.
    const key = `${writeEffect}${loader.id}:${rows[0]?.chunkNo}-${rows.at(-1)?.chunkNo}`;
    const done = context.effect(effect(key, "idempotent", loader.source), async ({ signal }) => {
      await writeBatch(stores, writing, { rows, signal });
      return { embedded: rows.length, written: rows.length };
    });
    // Avoids an unhandled rejection; awaiting it still throws.
    done.catch(() => undefined);
    underWay.push(done);
    // The first one alone: it finds out whether the collection accepts vectors of this length.
    if (isFirst || underWay.length >= batchesAtOnce) await underWay.shift();
    isFirst = false;
  }
  await Promise.all(underWay);
  await context.effect(effect(`delete:${loader.id}`, "idempotent", loader.source), async ({ signal }) => {
    const count = await deleteOutdated(stores, writing, { cleanup: task.cleanup, signal });
    const { storeId, id: loaderId } = loader;
    if (count > 0) stores.logger.info("vectors-deleted", { storeId, loaderId, runId: writing.runId, count });
    return null;
  });
}

type Finishing = { writing: Writing; staged: Staged; task: UpsertTask };

async function finish(context: NodeContext, finishing: Finishing): Promise<void> {
  const { runId, own, loader, spec } = finishing.writing;
  const { staged } = finishing;
  await context.effect(effect(`finish:${loader.id}`, "idempotent", loader.source), async () => {
    const status = nextStatus(loader.status, spec.embeds ? "upserted" : "processed");
    const { chunks, chunkCharacters, failures } = staged;
    const changes: Partial<DocumentLoaderRow> = {
      chunkSet: runId,
      status,
      error: errorOf(failures),
      totalChunks: chunks,
      totalChars: chunkCharacters,
    };
    await own.write((tx) => updateLoader(tx, { id: loader.id, ...changes }));
    await removeOtherSets(own, loader.id, runId);
    return null;
  });
}

function effect(key: string, kind: "read" | "idempotent", name: string) {
  return { key, kind, category: "retrieval", name, input: null } as const;
}

/** Message beside a loader some of whose sources could not be loaded. */
function errorOf(failures: readonly UpsertFailure[]): string {
  if (failures.length === 0) return "";
  const first = failures[0]?.message ?? "";
  return failures.length === 1 ? first : `${failures.length} sources could not be loaded. ${first}`;
}

function summaryOf(results: readonly TaskResult[]): string {
  const sum = (count: (result: TaskResult) => number) => results.reduce((total, result) => total + count(result), 0);
  return `${sum(({ numAdded }) => numAdded)} added, ${sum(({ numUpdated }) => numUpdated)} updated, ${sum(({ numDeleted }) => numDeleted)} deleted, ${sum(({ numSkipped }) => numSkipped)} unchanged.`;
}

function isUnreadable(cause: unknown): cause is RunFailure {
  return cause instanceof RunFailure && cause.error.code === "documents-unreadable";
}

/**
 * Limits the upserts that this process works on at once: each keeps a core busy for much of its time. `use` runs `work`
 * once a slot is free; it rejects with the signal's reason if that aborts first.
 */
type WorkSlots = { use<T>(run: SlotUser, signal: AbortSignal, work: () => Promise<T>): Promise<T> };

type SlotUser = { share: Share };

function createWorkSlots(count: number): WorkSlots {
  const slots = createTurnstile({ maxRunning: count, maxWaiting: Number.POSITIVE_INFINITY });
  return {
    async use({ share }, signal, work) {
      const { turn, leave } = slots.enter(share);
      try {
        if (turn !== undefined) await orAborted(turn, signal);
        return await work();
      } finally {
        leave();
      }
    },
  };
}

async function orAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([turn, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
