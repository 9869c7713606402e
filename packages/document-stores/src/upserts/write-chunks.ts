import type { Database, Tables } from "@weft/database";
import type { RunInfo } from "@weft/engine/node";
import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";
import type { CollectionName, VectorCollection, VectorRecord } from "@weft/engine/ports/vector-store";
import type { Cleanup } from "@weft/knowledge/plan-upsert";
import { holdRun } from "@weft/run-host";
import { type JsonObject, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import * as chunks from "../state/chunk.store.ts";
import * as records from "../state/record.store.ts";
import type { UpsertSpec } from "../state/upsert-job.store.ts";
import type { StoreContext } from "../store-context.ts";
import { collectionName, type StoreBackend } from "../stores/store-backend.ts";
import type { DocumentChunkRow, DocumentLoaderRow } from "../tables.ts";

export type Writing = {
  runId: string;
  own: OwnWrites;
  spec: UpsertSpec;
  loader: DocumentLoaderRow;
  collection: string;
};

/** Maximum number of chunks embedded and written together, and so embedded again after a crash. */
export const batchSize = 256;
/** A model that takes few texts per request is slow: smaller batches show its progress. */
const requestsOfBatch = 2;

export async function collectionOf(backend: StoreBackend, spec: UpsertSpec): Promise<string> {
  const embedder = await backend.embedder(spec);
  return collectionName({ ...spec, id: spec.storeId }, embedder.id);
}

/** Splits the chunks to be embedded into batches, which are the same every time for the same model. */
export async function* plannedBatches(
  { read }: Database,
  { loader, runId }: Writing,
  { maxBatch }: EmbeddingModel,
): AsyncGenerator<DocumentChunkRow[]> {
  const limit = Math.min(batchSize, maxBatch * requestsOfBatch);
  const set = { loaderId: loader.id, chunkSet: runId };
  for (let afterNo = 0; ; ) {
    const rows = await chunks.readPlanned(read, set, { afterNo, limit });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    afterNo = last.chunkNo;
  }
}

/**
 * Embeds a batch, writes its vectors, then their records in the record manager. After a crash between any two of these
 * the whole is repeated with the same outcome: the ids are the plan's. Rejects with `LeaseLostError` if another process
 * has taken over.
 */
export async function writeBatch(
  context: StoreContext,
  writing: Writing,
  { rows, signal }: { rows: readonly DocumentChunkRow[]; signal: AbortSignal },
): Promise<void> {
  const { backend } = context;
  const { own, spec, loader, collection } = writing;
  const model = await backend.embedder(spec);
  const texts = rows.map(({ pageContent }) => pageContent);
  const vectors = await backend.embed(model, { texts, purpose: "document", signal });
  const dimension = vectors[0]?.length ?? 0;
  const place = { collection, embedderId: model.id, dimension };
  await makeRoom(context, writing, place, signal);
  const open = await backend.open(spec, place);
  await own.assertOwn();
  await open.upsert(
    rows.map((row, index) => toVectorRecord(row, vectors[index])),
    { signal },
  );
  if (spec.records === false) return;
  const known = rows.map((row) => toRecord(row, loader, collection));
  await own.write((tx) => records.putRecords(tx, known));
}

/**
 * Records a collection before its first vectors. An empty one made for vectors of another length is recreated; no other
 * upsert writes to it meanwhile (U5). Rejects with `embedding-mismatch` for one that is not empty.
 */
async function makeRoom(
  { database, backend }: StoreContext,
  { own, spec }: Writing,
  place: CollectionName,
  signal: AbortSignal,
): Promise<void> {
  const known = await records.findCollection(database.read, place.collection);
  if (known?.dimension === place.dimension) return;
  if (known !== undefined) {
    const open = await backend.open(spec, known);
    if ((await open.count({ signal })) > 0) throw otherLength(spec.storeId, known, place);
    await own.assertOwn();
    await open.drop({ signal });
    await own.write((tx) => records.deleteCollection(tx, place.collection));
  }
  const row = { ...place, storeId: spec.storeId, vectorStoreConfig: spec.vectorStoreConfig };
  await own.write((tx) => records.putCollection(tx, row));
}

function otherLength(storeId: string, known: { dimension: number }, { embedderId, dimension }: CollectionName) {
  const message = `The embedding model ${embedderId} now returns vectors with ${dimension} dimensions, but those in this document store have ${known.dimension}: they cannot be compared. Delete them (DELETE /api/v1/document-store/vectorstore/${storeId}), then upsert again.`;
  return new WeftError("embedding-mismatch", { message });
}

/** Deletes outdated vectors, from the vector database first. Resolves with their number. */
export async function deleteOutdated(
  context: StoreContext,
  { own, spec, loader, collection, runId }: Writing,
  { cleanup, signal }: { cleanup: Cleanup; signal: AbortSignal },
): Promise<number> {
  const { database } = context;
  let count = 0;
  if (spec.records === false && cleanup === "full")
    count = await deleteReplaced(context, { own, spec, loader, collection, runId }, signal);
  const scope = { collection, loaderId: loader.id };
  for (;;) {
    const ids = await records.listOutdated(database.read, { ...scope, runId }, 500);
    if (ids.length === 0) return count;
    count += ids.length;
    const open = await openCollection(context, spec, collection);
    await own.assertOwn();
    await open?.delete(ids, { signal });
    await own.write((tx) => records.deleteRecords(tx, scope, ids));
  }
}

/** Without a record manager: deletes the vectors of current chunks that the upsert does not have. */
async function deleteReplaced(
  context: StoreContext,
  { own, spec, loader, collection, runId }: Writing,
  signal: AbortSignal,
): Promise<number> {
  const { read } = context.database;
  const open = await openCollection(context, spec, collection);
  let count = 0;
  if (loader.chunkSet === "" || open === undefined) return count;
  for (let afterNo = 0; ; ) {
    const set = { loaderId: loader.id, chunkSet: loader.chunkSet };
    const rows = await chunks.readChunks(read, set, { afterNo, limit: batchSize });
    const last = rows.at(-1);
    if (last === undefined) return count;
    const ids = rows.map(({ id }) => id);
    const again = await chunks.idsInSet(read, { loaderId: loader.id, chunkSet: runId }, ids);
    const gone = ids.filter((id) => !again.has(id));
    await own.assertOwn();
    await open.delete(gone, { signal });
    count += gone.length;
    afterNo = last.chunkNo;
  }
}

/** A collection that has been written to; undefined if there is none. */
async function openCollection(
  { database, backend }: StoreContext,
  settings: UpsertSpec,
  collection: string,
): Promise<VectorCollection | undefined> {
  const known = await records.findCollection(database.read, collection);
  return known && backend.open(settings, known);
}

/** The loader's id is stored with each vector, as existing clients expect. */
function toVectorRecord(row: DocumentChunkRow, vector: Float32Array | undefined): VectorRecord {
  if (vector === undefined) throw new Error("The embedding model answered fewer vectors than texts.");
  const metadata: JsonObject = { ...JSON.parse(row.metadata), docId: row.loaderId };
  return { id: row.id, vector, text: row.pageContent, metadata };
}

function toRecord(row: DocumentChunkRow, loader: DocumentLoaderRow, collection: string) {
  const { id, source, metadataHash } = row;
  return { collection, loaderId: loader.id, id, storeId: loader.storeId, source, metadataHash, outdatedBy: "" };
}

/**
 * Writes of an upsert's step outside the journal. A process that stalled until another one took over the run writes
 * nothing more: the other may have finished it, and a later upsert may have replaced its data.
 */
export type OwnWrites = {
  /**
   * In its own transaction. Rejects with `LeaseLostError`, and writes nothing, if the run is another process's or over.
   */
  write<T>(fn: (tx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Rejects as `write` does. Call right before writes outside the platform's transactions, as to a vector database. */
  assertOwn(): Promise<void>;
};

export function createOwnWrites(database: Database, run: RunInfo): OwnWrites {
  const write: OwnWrites["write"] = (fn) =>
    database.write(
      async (tx) => {
        await holdRun(database, tx, run);
        return fn(tx);
      },
      { isolation: "read-committed" },
    );
  return { write, assertOwn: () => write(async () => undefined) };
}
