import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";
import type { ChunkSet } from "../state/chunk.store.ts";
import type { DocumentFingerprintRow, DocumentLoaderRow } from "../tables.ts";

type Handle = Kysely<Tables>;

/** Databases limit the parameters of a statement. */
const rowsAtOnce = 100;
const idsAtOnce = 500;

export async function insertFingerprints(tx: Handle, rows: readonly DocumentFingerprintRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const some = rows.slice(start, start + rowsAtOnce);
    await tx.insertInto("documentFingerprints").values(some).execute();
  }
}

/** In the order in which the documents were read. */
export function readFingerprints(db: Handle, { loaderId, chunkSet }: ChunkSet): Promise<DocumentFingerprintRow[]> {
  return db
    .selectFrom("documentFingerprints")
    .selectAll()
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "=", chunkSet)
    .orderBy("documentNo")
    .execute();
}

export async function deleteFingerprints(tx: Handle, { loaderId, chunkSet }: ChunkSet): Promise<void> {
  await tx
    .deleteFrom("documentFingerprints")
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "=", chunkSet)
    .execute();
}

/** Deletes those of every other chunk set of the loader. */
export async function deleteOtherFingerprints(tx: Handle, loaderId: string, keptSet: string): Promise<void> {
  await tx
    .deleteFrom("documentFingerprints")
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "!=", keptSet)
    .execute();
}

/** Records that the chunks of a document no longer match the text that was read. */
export async function clearFingerprint(
  tx: Handle,
  { loaderId, chunkSet, source }: ChunkSet & { source: string },
): Promise<void> {
  await tx
    .updateTable("documentFingerprints")
    .set({ hash: "" })
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "=", chunkSet)
    .where("source", "=", source)
    .execute();
}

/** A document in the current chunk set of a loader. */
export type RepeatedDocument = Pick<DocumentFingerprintRow, "loaderId" | "storeId" | "source" | "hash"> &
  Pick<DocumentLoaderRow, "loaderName" | "status" | "error">;

/** Documents whose text several loaders of their store have, in loader order. `like`: only texts of this loader. */
export function listRepeated(db: Handle, storeIds: readonly string[], like?: ChunkSet): Promise<RepeatedDocument[]> {
  if (storeIds.length === 0) return Promise.resolve([]);
  let repeated = db
    .selectFrom("documentFingerprints")
    .select("hash")
    .where("storeId", "in", storeIds)
    .where("hash", "!=", "")
    .groupBy(["storeId", "hash"])
    .having(({ fn }) => fn.count("loaderId").distinct(), ">", 1);
  if (like !== undefined) {
    const own = db.selectFrom("documentFingerprints").select("hash").where("loaderId", "=", like.loaderId);
    repeated = repeated.where("hash", "in", own.where("chunkSet", "=", like.chunkSet));
  }
  return currentOf(db)
    .where("documentFingerprints.storeId", "in", storeIds)
    .select(["documentFingerprints.loaderId", "documentFingerprints.storeId", "documentFingerprints.source"])
    .select([
      "documentFingerprints.hash",
      "documentLoaders.loaderName",
      "documentLoaders.status",
      "documentLoaders.error",
    ])
    .where("documentFingerprints.hash", "in", repeated)
    .orderBy("documentLoaders.createdDate")
    .orderBy("documentLoaders.id")
    .orderBy("documentFingerprints.documentNo")
    .execute();
}

/** Number of documents of each loader, including those whose text is unknown. */
export async function countDocuments(db: Handle, loaderIds: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let start = 0; start < loaderIds.length; start += idsAtOnce) {
    const rows = await currentOf(db)
      .select(({ fn }) => ["documentFingerprints.loaderId", fn.countAll<number>().as("documents")])
      .where("documentFingerprints.loaderId", "in", loaderIds.slice(start, start + idsAtOnce))
      .groupBy("documentFingerprints.loaderId")
      .execute();
    for (const { loaderId, documents } of rows) counts.set(loaderId, Number(documents));
  }
  return counts;
}

function currentOf(db: Handle) {
  return db
    .selectFrom("documentFingerprints")
    .innerJoin("documentLoaders", (join) =>
      join
        .onRef("documentLoaders.id", "=", "documentFingerprints.loaderId")
        .onRef("documentLoaders.chunkSet", "=", "documentFingerprints.chunkSet"),
    );
}
