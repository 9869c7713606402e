import type { Tables } from "@weft/database";
import { WeftError } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import type { DocumentStoreRow } from "../tables.ts";

type Handle = Kysely<Tables>;

/** Most recently updated first. */
export function listStores(db: Handle, window?: { offset: number; limit: number }): Promise<DocumentStoreRow[]> {
  const rows = db.selectFrom("documentStores").selectAll().orderBy("updatedDate", "desc").orderBy("id");
  return (window === undefined ? rows : rows.limit(window.limit).offset(window.offset)).execute();
}

export async function countStores(db: Handle): Promise<number> {
  const row = await db
    .selectFrom("documentStores")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export function findStore(db: Handle, id: string): Promise<DocumentStoreRow | undefined> {
  return db.selectFrom("documentStores").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Rejects with `not-found`. */
export async function getStore(db: Handle, id: string): Promise<DocumentStoreRow> {
  return (await findStore(db, id)) ?? throwNotFound(id);
}

/**
 * Reads a store and keeps every other writer away from it until the transaction ends, on both databases. Rejects with
 * `not-found`.
 */
export async function lockStore(tx: Handle, id: string): Promise<DocumentStoreRow> {
  const row = await tx
    .updateTable("documentStores")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row ?? throwNotFound(id);
}

function throwNotFound(id: string): never {
  throw new WeftError("not-found", { params: { resource: "document store", id } });
}

/** False when the id is taken: then nothing was written. */
export async function insertStore(tx: Handle, row: DocumentStoreRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("documentStores")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateStore(tx: Handle, { id, ...changes }: Partial<DocumentStoreRow> & { id: string }) {
  await tx.updateTable("documentStores").set(changes).where("id", "=", id).execute();
}

/** With everything that belongs to it. */
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

/** For the transaction that saves a flow: notes which stores it names, whatever its dialect. */
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

/** For the transaction that creates a store under an id that flows may name already. */
export async function recordUsers(tx: Handle, storeId: string): Promise<void> {
  const users = await tx
    .selectFrom("agents")
    .select("id")
    .where("flowData", "like", sql<string>`${`%${storeId}%`}`)
    .execute();
  for (const { id } of users) await tx.insertInto("documentStoreUses").values({ storeId, agentId: id }).execute();
}

/** Notes that an agent uses a store that its flow does not name by its id. */
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
