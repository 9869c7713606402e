import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";

/** Vectors of one loader that was deleted. */
export type Orphans = { storeId: string; storeName: string; loaderId: string; vectors: number };

/** By store and loader, for each loader that is gone. */
export async function findOrphans(read: Kysely<Tables>): Promise<Orphans[]> {
  const found = await read
    .selectFrom("documentRecords")
    .innerJoin("documentStores", "documentStores.id", "documentRecords.storeId")
    .leftJoin("documentLoaders", "documentLoaders.id", "documentRecords.loaderId")
    .where("documentLoaders.id", "is", null)
    .groupBy(["documentStores.id", "documentStores.name", "documentRecords.loaderId"])
    .select(({ fn }) => [
      "documentStores.id as storeId",
      "documentStores.name as storeName",
      "documentRecords.loaderId",
      fn.countAll().as("vectors"),
    ])
    .orderBy("documentStores.name")
    .orderBy("documentStores.id")
    .orderBy("documentRecords.loaderId")
    .execute();
  return found.map(({ vectors, ...orphans }) => ({ ...orphans, vectors: Number(vectors) }));
}

/** The same in one entry for each store. */
export function byStore(
  orphans: readonly Orphans[],
): { id: string; name: string; vectors: number; loaderIds: string[] }[] {
  return [...Map.groupBy(orphans, ({ storeId }) => storeId)].map(([id, of]) => ({
    id,
    name: of[0]?.storeName ?? "",
    vectors: of.reduce((sum, { vectors }) => sum + vectors, 0),
    loaderIds: of.map(({ loaderId }) => loaderId),
  }));
}

export function countVectors(count: number): string {
  return count === 1 ? "1 vector" : `${count} vectors`;
}
