import type { Database, Tables } from "@weft/database";
import type { CollectionName, VectorMatch, VectorRecord, VectorSearch } from "@weft/engine/ports/vector-store";
import type { Generated, Insertable, Kysely, Selectable } from "kysely";
import { assertSameEmbedder } from "../port/define-vector-store.ts";
import { toIndexedTerms } from "../port/fuse-matches.ts";
import { toFilterKeys } from "../port/search-filter.ts";
import { keywordIndexes } from "./keyword-indexes.ts";

export type StoredCollection = Selectable<VectorCollectionRow>;

type Scope = { tx: Kysely<Tables>; dialect: Database["dialect"] };

export function findCollection(read: Kysely<Tables>, collection: string): Promise<StoredCollection | undefined> {
  return read.selectFrom("vectorCollections").selectAll().where("collection", "=", collection).executeTakeFirst();
}

/** A record ready to be written: expensive parts are computed before the transaction. */
export type WritableRecord = {
  row: Pick<Insertable<VectorRecordRow>, "id" | "text" | "metadata" | "vector">;
  terms: string[];
  filterKeys: string[];
};

export function toWritable({ id, text, metadata, vector }: VectorRecord): WritableRecord {
  return {
    row: { id, text, metadata: JSON.stringify(metadata), vector: toBytes(vector) },
    terms: toIndexedTerms(text),
    filterKeys: toFilterKeys(metadata),
  };
}

/**
 * Writes or replaces records of different ids, and creates the collection if missing. Every write starts with the
 * collection's row, so that changes are numbered in commit order.
 */
export async function putRecords(
  { tx, dialect }: Scope,
  name: CollectionName,
  records: readonly WritableRecord[],
): Promise<void> {
  const stored = (await raiseChanges(tx, name.collection)) ?? (await createCollection(tx, name));
  assertSameEmbedder(stored, name);
  const { collectionKey, changes: change } = stored;
  const written = await tx
    .insertInto("vectorRecords")
    .values(records.map(({ row }) => ({ collectionKey, change, ...row })))
    .onConflict((conflict) =>
      conflict.columns(["collectionKey", "id"]).doUpdateSet((row) => ({
        change: row.ref("excluded.change"),
        text: row.ref("excluded.text"),
        metadata: row.ref("excluded.metadata"),
        vector: row.ref("excluded.vector"),
      })),
    )
    .returning(["rowKey", "id"])
    .execute();
  const rowKeys = new Map(written.map(({ id, rowKey }) => [id, rowKey]));
  const entries = records.map(({ row, terms, filterKeys }) => {
    return { rowKey: rowKeys.get(row.id) as number, terms, filterKeys };
  });
  await keywordIndexes[dialect].put(tx, collectionKey, entries);
}

export async function countRecords(read: Kysely<Tables>, { collectionKey }: StoredCollection): Promise<number> {
  const { records } = await read
    .selectFrom("vectorRecords")
    .select((row) => row.fn.countAll<number>().as("records"))
    .where("collectionKey", "=", collectionKey)
    .executeTakeFirstOrThrow();
  return records;
}

/** Removes the records of these ids. */
export async function removeRecords({ tx, dialect }: Scope, collection: string, ids: readonly string[]): Promise<void> {
  const stored = await raiseChanges(tx, collection);
  if (stored === undefined) return;
  const { collectionKey, changes } = stored;
  const removed = await tx
    .deleteFrom("vectorRecords")
    .where("collectionKey", "=", collectionKey)
    .where("id", "in", ids)
    .returning("rowKey")
    .execute();
  if (removed.length === 0) return;
  await tx
    .updateTable("vectorCollections")
    .set({ lastRemoval: changes })
    .where("collectionKey", "=", collectionKey)
    .execute();
  await keywordIndexes[dialect].remove(
    tx,
    removed.map(({ rowKey }) => rowKey),
  );
}

/** Removes a collection's name, so that it no longer exists. Its records are left to `purgeRecords`. */
export async function unnameCollection(tx: Kysely<Tables>, collection: string): Promise<void> {
  const stored = await raiseChanges(tx, collection);
  if (stored === undefined) return;
  const { collectionKey } = stored;
  await tx
    .updateTable("vectorCollections")
    .set({ collection: `${droppedPrefix}${collectionKey}` })
    .where("collectionKey", "=", collectionKey)
    .execute();
}

/** Keys of dropped collections that are not purged yet. */
export async function findDropped(read: Kysely<Tables>): Promise<number[]> {
  const rows = await read
    .selectFrom("vectorCollections")
    .select("collectionKey")
    .where("collection", "like", `${droppedPrefix}%`)
    .execute();
  return rows.map(({ collectionKey }) => collectionKey);
}

/**
 * Removes up to `limit` records of a dropped collection, and the collection with the last. Returns whether it is gone.
 */
export async function purgeRecords({ tx, dialect }: Scope, collectionKey: number, limit: number): Promise<boolean> {
  const rows = await tx
    .selectFrom("vectorRecords")
    .select("rowKey")
    .where("collectionKey", "=", collectionKey)
    .limit(limit)
    .execute();
  const rowKeys = rows.map(({ rowKey }) => rowKey);
  if (rowKeys.length > 0) {
    await keywordIndexes[dialect].remove(tx, rowKeys);
    await tx.deleteFrom("vectorRecords").where("rowKey", "in", rowKeys).execute();
  }
  if (rowKeys.length === limit) return false;
  await tx.deleteFrom("vectorCollections").where("collectionKey", "=", collectionKey).execute();
  return true;
}

/** Collection names contain no slash. */
const droppedPrefix = "dropped/";

/** Locks the collection and numbers the change. Undefined if there is no such collection. */
function raiseChanges(tx: Kysely<Tables>, collection: string): Promise<StoredCollection | undefined> {
  return tx
    .updateTable("vectorCollections")
    .set((row) => ({ changes: row("changes", "+", 1) }))
    .where("collection", "=", collection)
    .returningAll()
    .executeTakeFirst();
}

async function createCollection(
  tx: Kysely<Tables>,
  { collection, embedderId, dimension }: CollectionName,
): Promise<StoredCollection> {
  await tx
    .insertInto("vectorCollections")
    .values({ collection, embedderId, dimension, changes: 0, lastRemoval: 0 })
    .onConflict((conflict) => conflict.column("collection").doNothing())
    .execute();
  const stored = await raiseChanges(tx, collection);
  if (stored === undefined) throw new Error(`The collection ${collection} was dropped while it was written to.`);
  return stored;
}

/**
 * Start data of the search worker: the location of the platform's database, its memory limit, and the number of rows
 * between progress reports.
 */
export type SearchWorkerData = { databaseUrl: string; dataDir: string; memoryBytes: number; toldRows: number };

export type SearchRequest = Omit<VectorSearch, "signal"> & { name: CollectionName };
export type SearchAnswer = VectorMatch[];

/** Vectors of a large collection read into memory so far, and in total. When both are equal, it is ready. */
export type VectorsLoading = { collection: string; done: number; total: number };

/** Current memory contents of all collections. */
export type HeldVectors = {
  bytes: number;
  collections: number;
  /** Vectors read so far of the collections being read; null if there are none. */
  loading: { done: number; total: number } | null;
};

/** Unsolicited messages of the search worker. */
export type SearchNote = { loading: VectorsLoading } | { held: HeldVectors };

/** A vector as stored. Little-endian, as on every machine that Node runs on except s390x. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The numbers of a stored vector, copied. */
export function toNumbers(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

/** The embedded vector store. */
type VectorCollectionRow = {
  collectionKey: Generated<number>;
  /** Its name; `dropped/<collectionKey>` once it is dropped, while its records are being removed. */
  collection: string;
  embedderId: string;
  dimension: number;
  /** Incremented by every write; tells a copy in memory whether it is stale. */
  changes: number;
  /** The value of `changes` after the last removal of records. */
  lastRemoval: number;
};

type VectorRecordRow = {
  /** Also the row's number in the keyword index. */
  rowKey: Generated<number>;
  collectionKey: number;
  id: string;
  /** The collection's `changes` after the write. */
  change: number;
  text: string;
  /** JSON text of an object. */
  metadata: string;
  /** 32-bit floats, little-endian. */
  vector: Uint8Array;
};

declare module "@weft/database" {
  interface Tables {
    vectorCollections: VectorCollectionRow;
    vectorRecords: VectorRecordRow;
  }
}
