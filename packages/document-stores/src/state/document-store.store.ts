import type { Tables } from "@weft/database";
import { defineRows } from "@weft/http/rows";
import { type Kysely, sql } from "kysely";
import type { DocumentStoreRow } from "../tables.ts";

type Handle = Kysely<Tables>;

export const {
  find: findStore,
  get: getStore,
  lock: lockStore,
  insert: insertStore,
  update: updateStore,
} = defineRows<DocumentStoreRow>("documentStores", "document store");

/** Most recently updated first. */
export function allStores(db: Handle) {
  return db.selectFrom("documentStores").selectAll().orderBy("updatedDate", "desc").orderBy("id");
}

/** Including everything that belongs to it. */
export async function deleteStore(tx: Handle, id: string): Promise<void> {
  for (const table of [
    "documentChunks",
    "documentRecords",
    "documentCollections",
    "documentFiles",
    "documentLoaders",
    "documentStoreUses",
    "upsertJobs",
    "documentQuestions",
    "documentEvaluations",
    "documentFingerprints",
    "documentChecks",
  ] as const) {
    await tx.deleteFrom(table).where("storeId", "=", id).execute();
  }
  await tx.deleteFrom("documentStores").where("id", "=", id).execute();
}

/** Agents and assistants that name these stores, by store. */
export async function usesOf(db: Handle, storeIds: readonly string[]): Promise<Map<string, string[]>> {
  const uses = new Map<string, string[]>();
  if (storeIds.length === 0) return uses;
  const rows = await db
    .selectFrom("documentStoreUses")
    .selectAll()
    .where("storeId", "in", storeIds)
    .orderBy("agentId")
    .execute();
  for (const { storeId, agentId } of rows) uses.set(storeId, [...(uses.get(storeId) ?? []), agentId]);
  return uses;
}

/** For the transaction that saves a flow: records the stores that it names, whatever its dialect. */
export async function recordUses(tx: Handle, { id, flowData }: { id: string; flowData: string }): Promise<void> {
  await removeUsesOf(tx, id);
  const named = [...new Set([...flowData.matchAll(uuidPattern)].map(([uuid]) => uuid.toLowerCase()))].slice(0, 1_000);
  if (named.length === 0) return;
  const stores = await tx.selectFrom("documentStores").select("id").where("id", "in", named).execute();
  for (const store of stores) {
    await tx.insertInto("documentStoreUses").values({ storeId: store.id, agentId: id }).execute();
  }
}

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** For the transaction that creates a store under an id that flows may already name. */
export async function recordUsers(tx: Handle, storeId: string): Promise<void> {
  const users = await tx
    .selectFrom("agents")
    .select("id")
    .where("flowData", "like", sql<string>`${`%${storeId}%`}`)
    .execute();
  for (const { id } of users) await tx.insertInto("documentStoreUses").values({ storeId, agentId: id }).execute();
}

/** Records that an agent uses a store that its flow does not name by id. */
export async function addUse(tx: Handle, use: { storeId: string; agentId: string }): Promise<void> {
  await tx
    .insertInto("documentStoreUses")
    .values(use)
    .onConflict((conflict) => conflict.columns(["storeId", "agentId"]).doNothing())
    .execute();
}

/** For the transaction that deletes an agent or assistant. */
export async function removeUsesOf(tx: Handle, agentId: string): Promise<void> {
  await tx.deleteFrom("documentStoreUses").where("agentId", "=", agentId).execute();
}
