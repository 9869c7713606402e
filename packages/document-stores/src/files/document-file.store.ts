import type { DocumentFilePartRow, DocumentFileRow, Tables } from "@weft/database";
import type { Kysely } from "kysely";

type Handle = Kysely<Tables>;

/** A statement takes only so many values. */
const rowsAtOnce = 500;

export async function insertFiles(tx: Handle, rows: readonly DocumentFileRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await tx
      .insertInto("documentFiles")
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
  }
}

export async function insertParts(tx: Handle, rows: readonly DocumentFilePartRow[]): Promise<void> {
  for (const row of rows) await tx.insertInto("documentFileParts").values(row).execute();
}

/** Gives files that belong to nobody to a loader. */
export async function adoptFiles(
  tx: Handle,
  ids: readonly string[],
  owner: Pick<DocumentFileRow, "storeId" | "loaderId" | "createdDate">,
): Promise<void> {
  for (const some of slicesOf(ids)) {
    await tx.updateTable("documentFiles").set(owner).where("id", "in", some).where("loaderId", "=", "").execute();
  }
}

/** Those of these files that no loader has taken. Their parts go with the next sweep. */
export async function deleteUnowned(tx: Handle, ids: readonly string[]): Promise<void> {
  for (const some of slicesOf(ids)) {
    await tx.deleteFrom("documentFiles").where("id", "in", some).where("loaderId", "=", "").execute();
  }
}

export async function deleteUnownedBefore(tx: Handle, moment: string): Promise<void> {
  await tx.deleteFrom("documentFiles").where("loaderId", "=", "").where("createdDate", "<", moment).execute();
}

/** Files of a loader that its configuration names no more. Their parts go with the next sweep. */
export async function deleteOtherFiles(tx: Handle, loaderId: string, keptIds: readonly string[]): Promise<void> {
  let files = tx.deleteFrom("documentFiles").where("loaderId", "=", loaderId);
  if (keptIds.length > 0) files = files.where("id", "not in", keptIds);
  await files.execute();
}

export function findFile(db: Handle, id: string): Promise<DocumentFileRow | undefined> {
  return db.selectFrom("documentFiles").selectAll().where("id", "=", id).executeTakeFirst();
}

/** In the order in which they came. */
export function listFiles(db: Handle, loaderIds: readonly string[]): Promise<DocumentFileRow[]> {
  if (loaderIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("documentFiles")
    .selectAll()
    .where("loaderId", "in", loaderIds)
    .orderBy("createdDate")
    .orderBy("id")
    .execute();
}

export async function findPart(db: Handle, fileId: string, partNo: number): Promise<Uint8Array | undefined> {
  const part = await db
    .selectFrom("documentFileParts")
    .select("bytes")
    .where("fileId", "=", fileId)
    .where("partNo", "=", partNo)
    .executeTakeFirst();
  return part?.bytes;
}

/** Parts of files that are gone. */
export function listOrphans(db: Handle, limit: number): Promise<Omit<DocumentFilePartRow, "bytes">[]> {
  return db
    .selectFrom("documentFileParts")
    .select(["fileId", "partNo"])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("documentFiles").select("id").whereRef("id", "=", "documentFileParts.fileId"))),
    )
    .limit(limit)
    .execute();
}

export async function deletePart(
  tx: Handle,
  { fileId, partNo }: Pick<DocumentFilePartRow, "fileId" | "partNo">,
): Promise<void> {
  await tx.deleteFrom("documentFileParts").where("fileId", "=", fileId).where("partNo", "=", partNo).execute();
}

function* slicesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += rowsAtOnce) yield ids.slice(start, start + rowsAtOnce);
}
