import type { Database } from "@weft/database";
import type { LoaderServices } from "@weft/engine/ports/document-loader";
import { type ChunkRecord, planUpsert, type SourceChunk, type UpsertStep } from "@weft/knowledge/plan-upsert";
import { findLoader as findLoaderType } from "@weft/providers/loaders";
import { WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import * as fingerprints from "../files/fingerprint.store.ts";
import { sha256 } from "../loaders/prepare-loader.ts";
import { type LoadLog, splitSources } from "../loaders/reading/split-sources.ts";
import * as chunks from "../state/chunk.store.ts";
import * as records from "../state/record.store.ts";
import type { UpsertTask } from "../state/upsert-job.store.ts";
import type { DocumentChunkRow, DocumentLoaderRow } from "../tables.ts";
import type { OwnWrites } from "./write-chunks.ts";

export type StageOptions = {
  own: OwnWrites;
  services: LoaderServices;
  runId: string;
  task: UpsertTask;
  loader: DocumentLoaderRow;
  /** Undefined: nothing is embedded, so everything is new. */
  collection: string | undefined;
  /** Whether the record manager is on. Without it everything counts as new. */
  records: boolean;
  signal: AbortSignal;
};

/** An upsert's plan, and what it has loaded. */
export type Staged = LoadLog & {
  chunks: number;
  /** Chunks to be embedded and written. */
  planned: number;
  chunkCharacters: number;
  numAdded: number;
  numUpdated: number;
  numSkipped: number;
  numDeleted: number;
};

const rowsAtOnce = 100;
/** Chunks may be long: no write takes much more than this. */
const charactersAtOnce = 500_000;
const fingerprintsAtOnce = 1_000;
const nothing = {
  documents: 0,
  characters: 0,
  chunks: 0,
  planned: 0,
  chunkCharacters: 0,
  numAdded: 0,
  numUpdated: 0,
  numSkipped: 0,
  numDeleted: 0,
};

/**
 * Loads, splits and plans: writes the chunks of the upsert beside the current ones, each with its action, and the
 * documents' fingerprints, and marks records for deletion. Nothing visible changes, and leftovers of an earlier attempt
 * are overwritten, so it may be repeated. Memory holds one document and the loader's ids.
 */
export async function stageChunks(database: Database, options: StageOptions): Promise<Staged> {
  const { own, runId, task, loader, collection } = options;
  const recorded = options.records ? collection : undefined;
  await forgetEarlier(options);
  const staged: Staged = { ...nothing, failures: [] };
  const failedSources = new Set<string>();
  const kept: Kept = new Map();
  const reader = fingerprints.createFingerprintReader();
  const writer = createStageWriter(own, { loader, runId });
  const steps = planUpsert({
    loader: loader.id,
    chunks: sourcesOf(database, options, { log: staged, failedSources, kept, reader }),
    records: recorded === undefined ? [] : await allRecords(database, { collection: recorded, loaderId: loader.id }),
    cleanup: task.cleanup,
    hash: sha256,
    failedSources,
    mayMissSources: () => mayMissSources(loader, staged),
  });
  const outdated: string[] = [];
  for await (const step of steps) {
    if (step.type === "delete") outdated.push(step.id);
    else {
      const before = takeFrom(kept, step.chunk);
      const isNew = await writer.add(step, before);
      if (isNew && before.stays) reader.keep(step.record.source);
    }
    count(staged, step, writer.wasKept());
  }
  await writer.flush();
  await writeFingerprints(database, options, { reader, failedSources });
  Object.assign(staged, writer.written());
  if (collection === undefined) staged.planned = 0;
  if (staged.documents === 0 && staged.failures[0]) throw nothingLoaded(staged);
  if (recorded !== undefined) {
    await markOutdated(own, { collection: recorded, loaderId: loader.id, runId }, outdated);
  }
  return staged;
}

/** Removes all sets but the current one and, if given, that of one more upsert. */
export async function removeOtherSets(own: OwnWrites, loaderId: string, keptSet: string): Promise<void> {
  const remove = () =>
    own.write(async (tx) => {
      const isMore = await chunks.deleteSomeChunks(tx, { loaderId, keptSet, limit: rowsAtOnce * 5 });
      if (!isMore) await fingerprints.deleteOtherFingerprints(tx, loaderId, keptSet);
      return isMore;
    });
  while (await remove()) {}
}

async function forgetEarlier({ own, runId, loader, collection }: StageOptions): Promise<void> {
  await removeOtherSets(own, loader.id, loader.chunkSet);
  if (collection === undefined) return;
  await own.write((tx) => records.clearOutdated(tx, { collection, loaderId: loader.id, runId }));
}

/** Chunks that were there before. */
type Kept = Map<SourceChunk["chunk"], Before>;
type Sources = { log: LoadLog; failedSources: Set<string>; kept: Kept; reader: fingerprints.FingerprintReader };

/** An unreadable list of pages hides which pages exist; a list of files is the loader's own. */
function mayMissSources({ loader }: DocumentLoaderRow, { failures }: LoadLog): boolean {
  return failures.length > 0 && findLoaderType(loader).group !== "file";
}

/** Sources loaded now, then unchanged ones. */
async function* sourcesOf(
  database: Database,
  { services, task, loader, signal }: StageOptions,
  { log, failedSources, kept, reader }: Sources,
): AsyncGenerator<SourceChunk> {
  const loaded = new Set<string>();
  if (task.loads) {
    for await (const chunk of splitSources(loader, { services, log, readText: reader.read, signal })) {
      loaded.add(chunk.source);
      yield chunk;
    }
    for (const { source } of log.failures) failedSources.add(source);
  }
  const stays = ({ source, isAdded }: DocumentChunkRow) => {
    if (!task.loads || failedSources.has(source)) return true;
    if (task.replaces || task.cleanup === "full") return false;
    if (task.cleanup === "none" || task.adds || isAdded === 1) return true;
    return !loaded.has(source) && mayMissSources(loader, log);
  };
  const pause = createPause();
  for await (const row of readSet(database, loader)) {
    if (!stays(row)) continue;
    const chunk = { text: row.pageContent, metadata: JSON.parse(row.metadata) };
    kept.set(chunk, { stays: true, isKept: task.loads, isAdded: task.adds === true || row.isAdded === 1 });
    yield { source: row.source, chunk };
    await pause();
  }
}

async function* readSet(
  { read }: Database,
  { id: loaderId, chunkSet }: DocumentLoaderRow,
): AsyncGenerator<DocumentChunkRow> {
  for (let afterNo = 0; ; ) {
    const page = await chunks.readChunks(read, { loaderId, chunkSet }, { afterNo, limit: rowsAtOnce });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < rowsAtOnce) return;
    afterNo = last.chunkNo;
  }
}

/** Whether a chunk existed before, stays while others are loaded, and does so beside what the loader reads now. */
type Before = { stays: boolean; isKept: boolean; isAdded: boolean };

function takeFrom(kept: Kept, chunk: SourceChunk["chunk"]): Before {
  const before = kept.get(chunk) ?? { stays: false, isKept: false, isAdded: false };
  kept.delete(chunk);
  return before;
}

type PlannedStep = Exclude<UpsertStep, { type: "delete" }>;

/** Writes the chunks of one upsert in batches. */
function createStageWriter(own: OwnWrites, { loader, runId }: { loader: DocumentLoaderRow; runId: string }) {
  let pending: DocumentChunkRow[] = [];
  let pendingCharacters = 0;
  const seen = new Set<string>();
  let isKept = false;
  let characters = 0;
  let planned = 0;

  async function flush(): Promise<void> {
    const rows = pending;
    pending = [];
    pendingCharacters = 0;
    if (rows.length > 0) await own.write((tx) => chunks.insertChunks(tx, rows));
  }

  return {
    flush,
    written: () => ({ chunks: seen.size, planned, chunkCharacters: characters }),
    /** Whether the last chunk existed before and is left untouched. */
    wasKept: () => isKept,
    /** Resolves with whether the chunk differs from all earlier ones. */
    async add({ type, record, chunk }: PlannedStep, before: Before): Promise<boolean> {
      isKept = before.isKept && type === "skip";
      if (seen.has(record.id)) return false;
      seen.add(record.id);
      characters += chunk.text.length;
      if (type !== "skip") planned += 1;
      pending.push({
        loaderId: loader.id,
        chunkSet: runId,
        chunkNo: seen.size,
        id: record.id,
        storeId: loader.storeId,
        source: record.source,
        metadataHash: record.metadataHash,
        plan: isKept ? "keep" : type,
        isAdded: before.isAdded ? 1 : 0,
        metadata: JSON.stringify(chunk.metadata),
        pageContent: chunk.text,
      });
      pendingCharacters += chunk.text.length;
      if (pending.length >= rowsAtOnce || pendingCharacters >= charactersAtOnce) await flush();
      return true;
    },
  };
}

async function writeFingerprints(
  database: Database,
  { own, loader, runId }: StageOptions,
  { reader, failedSources }: { reader: fingerprints.FingerprintReader; failedSources: ReadonlySet<string> },
): Promise<void> {
  const { id: loaderId, storeId, chunkSet } = loader;
  const before = await fingerprints.readFingerprints(database.read, { loaderId, chunkSet });
  const rows = reader.settle({ failedSources, before }).map((fingerprint, index) => {
    return { loaderId, chunkSet: runId, documentNo: index + 1, storeId, ...fingerprint };
  });
  for (let start = 0; start < rows.length; start += fingerprintsAtOnce) {
    const some = rows.slice(start, start + fingerprintsAtOnce);
    await own.write((tx) => fingerprints.insertFingerprints(tx, some));
  }
}

function count(staged: Staged, step: UpsertStep, isKept: boolean): void {
  if (step.type === "delete") staged.numDeleted += 1;
  else if (step.type === "add") staged.numAdded += 1;
  else if (step.type === "update") staged.numUpdated += 1;
  else if (!isKept) staged.numSkipped += 1;
}

async function allRecords({ read }: Database, scope: records.RecordScope): Promise<ChunkRecord[]> {
  const found: ChunkRecord[] = [];
  for (let after = ""; ; ) {
    const page = await records.readRecords(read, scope, { after, limit: 1_000 });
    for (const { id, source, metadataHash } of page) found.push({ id, source, metadataHash });
    const last = page.at(-1);
    if (last === undefined || page.length < 1_000) return found;
    after = last.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function markOutdated(
  own: OwnWrites,
  { runId, ...scope }: records.RecordScope & { runId: string },
  ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += 1_000) {
    const some = ids.slice(start, start + 1_000);
    await own.write((tx) => records.markOutdated(tx, { ...scope, runId, ids: some }));
  }
}

/** Nothing could be loaded at all: that fails the whole. */
function nothingLoaded({ failures }: LoadLog): WeftError {
  const reason = failures
    .slice(0, 5)
    .map(({ source, message }) => (message.includes(source) ? message : `${source}: ${message}`))
    .join(" ");
  return new WeftError("documents-unreadable", { params: { reason } });
}
