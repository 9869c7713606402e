import type { Tables } from "@weft/database";
import { toJsonObject } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import type { DocumentChunkRow } from "../tables.ts";

type Handle = Kysely<Tables>;

/** Chunks of one loader that belong together: those of one upsert, or the current ones. */
export type ChunkSet = { loaderId: string; chunkSet: string };

/** Databases limit the parameters of a statement. */
const rowsAtOnce = 100;
const idsAtOnce = 500;

export async function insertChunks(tx: Handle, rows: readonly DocumentChunkRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await tx
      .insertInto("documentChunks")
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
  }
}

/** As `insertChunks`, skipping numbers that exist. Resolves with the number inserted. */
export async function addNewChunks(tx: Handle, rows: readonly DocumentChunkRow[]): Promise<number> {
  let added = 0;
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const some = rows.slice(start, start + rowsAtOnce);
    const chunks = tx.insertInto("documentChunks").values(some);
    const inserted = await chunks
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    added += inserted.length;
  }
  return added;
}

/** Counts these numbers that are free. */
export async function countNewChunks(db: Handle, set: ChunkSet, chunkNos: readonly number[]): Promise<number> {
  let taken = 0;
  for (let start = 0; start < chunkNos.length; start += idsAtOnce) {
    const some = chunkNos.slice(start, start + idsAtOnce);
    const { count } = await ofSet(db, set)
      .where("chunkNo", "in", some)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    taken += Number(count);
  }
  return chunkNos.length - taken;
}

/** Chunks after `afterNo`, in order. */
export function readChunks(
  db: Handle,
  { loaderId, chunkSet }: ChunkSet,
  { afterNo, limit }: { afterNo: number; limit: number },
): Promise<DocumentChunkRow[]> {
  return ofSet(db, { loaderId, chunkSet })
    .selectAll()
    .where("chunkNo", ">", afterNo)
    .orderBy("chunkNo")
    .limit(limit)
    .execute();
}

/** Those to be embedded, after `afterNo`, in order. */
export function readPlanned(
  db: Handle,
  set: ChunkSet,
  { afterNo, limit }: { afterNo: number; limit: number },
): Promise<DocumentChunkRow[]> {
  return ofSet(db, set)
    .selectAll()
    .where("chunkNo", ">", afterNo)
    .where("plan", "in", ["add", "update"])
    .orderBy("chunkNo")
    .limit(limit)
    .execute();
}

/** The first of those that are new in this set. */
export function readAdded(db: Handle, set: ChunkSet, limit: number): Promise<DocumentChunkRow[]> {
  return ofSet(db, set).selectAll().where("plan", "=", "add").orderBy("chunkNo").limit(limit).execute();
}

/** Number of chunks in a set so far. Chunk numbers are dense. */
export async function lastChunkNo(db: Handle, set: ChunkSet): Promise<number> {
  const last = await ofSet(db, set).select("chunkNo").orderBy("chunkNo", "desc").limit(1).executeTakeFirst();
  return last?.chunkNo ?? 0;
}

/** Which of the ids a set has. */
export async function idsInSet(db: Handle, set: ChunkSet, ids: readonly string[]): Promise<Set<string>> {
  const rows = await ofSet(db, set).select("id").where("id", "in", ids).execute();
  return new Set(rows.map(({ id }) => id));
}

export function findChunk(
  db: Handle,
  { loaderId, chunkSet, id }: ChunkSet & { id: string },
): Promise<DocumentChunkRow | undefined> {
  return ofSet(db, { loaderId, chunkSet }).selectAll().where("id", "=", id).executeTakeFirst();
}

/** Plan of a chunk that was changed since its vector was written: it has no vector until the next upsert. */
export const changedPlan = "changed";

/**
 * Those of the ids that are chunks of the store, with their numbers: current ones as they were upserted, and those
 * staged by a running upsert, so that nothing is missing while its vectors replace others.
 */
export async function findLiveChunks(
  db: Handle,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const live = new Map<string, number>();
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const rows = await db
      .selectFrom("documentChunks")
      .innerJoin("documentLoaders", "documentLoaders.id", "documentChunks.loaderId")
      .select(["documentChunks.id", "documentChunks.chunkNo"])
      .where("documentChunks.storeId", "=", storeId)
      .where("documentChunks.id", "in", ids.slice(start, start + idsAtOnce))
      .where("documentChunks.plan", "!=", changedPlan)
      .where((eb) => {
        const open = eb.selectFrom("upsertJobs").select("runId").where("storeId", "=", storeId);
        return eb.or([
          eb("documentChunks.chunkSet", "=", eb.ref("documentLoaders.chunkSet")),
          eb("documentChunks.chunkSet", "in", open.where("state", "=", "open")),
        ]);
      })
      .execute();
    for (const { id, chunkNo } of rows) live.set(id, chunkNo);
  }
  return live;
}

/** Whether a current passage of the store has metadata of this name. */
export async function hasMetadataName(db: Handle, storeId: string, name: string): Promise<boolean> {
  const key = `%${JSON.stringify(name).replaceAll(/[\\%_]/g, "\\$&")}:%`;
  const row = await currentOf(db, storeId)
    .select("documentChunks.id")
    .where(sql<boolean>`${sql.ref("documentChunks.metadata")} like ${key} escape ${sql.lit("\\")}`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Names of metadata that some of the store's passages have, in order. */
export async function findMetadataNames(db: Handle, storeId: string): Promise<string[]> {
  const rows = await currentOf(db, storeId).select("documentChunks.metadata").limit(rowsAtOnce).execute();
  const names = rows.flatMap(({ metadata }) => Object.keys(toJsonObject(JSON.parse(metadata))));
  return [...new Set(names)].sort().slice(0, 30);
}

function currentOf(db: Handle, storeId: string) {
  return db
    .selectFrom("documentChunks")
    .innerJoin("documentLoaders", (join) =>
      join
        .onRef("documentLoaders.id", "=", "documentChunks.loaderId")
        .onRef("documentLoaders.chunkSet", "=", "documentChunks.chunkSet"),
    )
    .where("documentChunks.storeId", "=", storeId);
}

export async function updateChunk(
  tx: Handle,
  { loaderId, chunkSet, chunkNo, ...changes }: DocumentChunkRow,
): Promise<void> {
  await tx
    .updateTable("documentChunks")
    .set(changes)
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "=", chunkSet)
    .where("chunkNo", "=", chunkNo)
    .execute();
}

export async function deleteChunk(tx: Handle, { loaderId, chunkSet, chunkNo }: ChunkSet & { chunkNo: number }) {
  await tx
    .deleteFrom("documentChunks")
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "=", chunkSet)
    .where("chunkNo", "=", chunkNo)
    .execute();
}

/** At most `limit`, so that no write takes long. Resolves with whether there may be more. */
export async function deleteSomeChunks(
  tx: Handle,
  { loaderId, keptSet, limit }: { loaderId: string; keptSet: string; limit: number },
): Promise<boolean> {
  const old = await tx
    .selectFrom("documentChunks")
    .select(["chunkSet", "chunkNo"])
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "!=", keptSet)
    .orderBy("chunkSet")
    .orderBy("chunkNo")
    .limit(limit)
    .execute();
  for (const [chunkSet, numbers] of groupBySet(old)) {
    await tx
      .deleteFrom("documentChunks")
      .where("loaderId", "=", loaderId)
      .where("chunkSet", "=", chunkSet)
      .where("chunkNo", "in", numbers)
      .execute();
  }
  return old.length === limit;
}

/** As `deleteSomeChunks`, for one set. */
export async function deleteSomeOfSet(tx: Handle, set: ChunkSet, limit: number): Promise<boolean> {
  const numbers = await ofSet(tx, set).select("chunkNo").orderBy("chunkNo").limit(limit).execute();
  const last = numbers.at(-1);
  if (last === undefined) return false;
  await tx
    .deleteFrom("documentChunks")
    .where("loaderId", "=", set.loaderId)
    .where("chunkSet", "=", set.chunkSet)
    .where("chunkNo", "<=", last.chunkNo)
    .execute();
  return numbers.length === limit;
}

function groupBySet(rows: readonly Pick<DocumentChunkRow, "chunkSet" | "chunkNo">[]): Map<string, number[]> {
  const sets = new Map<string, number[]>();
  for (const { chunkSet, chunkNo } of rows) sets.set(chunkSet, [...(sets.get(chunkSet) ?? []), chunkNo]);
  return sets;
}

function ofSet(db: Handle, { loaderId, chunkSet }: ChunkSet) {
  return db.selectFrom("documentChunks").where("loaderId", "=", loaderId).where("chunkSet", "=", chunkSet);
}

/** By number, with gaps where chunks were deleted. */
export function pageOfChunks(
  db: Handle,
  set: ChunkSet,
  { search, offset, limit }: { search: string; offset: number; limit: number },
): Promise<DocumentChunkRow[]> {
  return withText(db, set, search).selectAll().orderBy("chunkNo").limit(limit).offset(offset).execute();
}

/** Number of chunks of a set that contain a text. */
export async function countChunksWith(db: Handle, set: ChunkSet, search: string): Promise<number> {
  const row = await withText(db, set, search)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** Case-insensitive; beyond ASCII only as far as the database supports it. Empty: all chunks. */
function withText(db: Handle, set: ChunkSet, search: string) {
  const chunks = ofSet(db, set);
  if (search === "") return chunks;
  const pattern = sql`lower(${`%${search.replaceAll(/[\\%_]/g, "\\$&")}%`})`;
  return chunks.where(sql<boolean>`lower(${sql.ref("pageContent")}) like ${pattern} escape ${sql.lit("\\")}`);
}

/** Position of a chunk. */
type ChunkPlace = ChunkSet & { chunkNo: number; source: string };

/** Positions of the chunks with these ids in their current sets. */
export async function findPlaces(
  db: Handle,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, ChunkPlace>> {
  const rows = await currentOf(db, storeId)
    .select(["documentChunks.id", "documentChunks.loaderId", "documentChunks.chunkSet"])
    .select(["documentChunks.chunkNo", "documentChunks.source"])
    .where("documentChunks.id", "in", ids.slice(0, idsAtOnce))
    .execute();
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}

/** Chunks of a set by number, inclusive, in order. */
export function readBetween(db: Handle, set: ChunkSet, { from, to }: { from: number; to: number }) {
  return ofSet(db, set)
    .select(["id", "chunkNo", "source", "metadata", "pageContent"])
    .where("chunkNo", ">=", from)
    .where("chunkNo", "<=", to)
    .orderBy("chunkNo")
    .execute();
}
