import type { Tables } from "@weft/database";
import { defineRows } from "@weft/http/rows";
import type { Kysely } from "kysely";

export type ApiKeyRow = {
  id: string;
  keyName: string;
  /** SHA-256 of the key, hex. */
  keyHash: string;
  /** What a list may show of the key: its first characters. */
  keyHint: string;
  /** JSON text: array of permissions. */
  permissions: string;
  /** The owner of its chats, shared with the client's other keys. */
  clientId: string;
  /** JSON text: array of the ids of the agents that it is limited to; empty: none. */
  agents: string;
  /** The account it belongs to: it may do no more than that, and goes with it. Null: nobody's. */
  ownerId: string | null;
  createdDate: string;
  updatedDate: string;
  lastUsedDate: string | null;
};

declare module "@weft/database" {
  interface Tables {
    apiKeys: ApiKeyRow;
  }
}

type Handle = Kysely<Tables>;

export const rows = defineRows<ApiKeyRow>("apiKeys", "API key");

/** Most recently updated first. */
export function allApiKeys(db: Handle) {
  return db.selectFrom("apiKeys").selectAll().orderBy("updatedDate", "desc").orderBy("id");
}

export function findApiKeyByHash(db: Handle, keyHash: string): Promise<ApiKeyRow | undefined> {
  return db.selectFrom("apiKeys").selectAll().where("keyHash", "=", keyHash).executeTakeFirst();
}

/** False if the id or the key itself is taken: then nothing was written. */
export async function insertApiKey(tx: Handle, row: ApiKeyRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("apiKeys")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function countKeysOf(db: Handle, ownerId: string): Promise<number> {
  const counting = db.selectFrom("apiKeys").where("ownerId", "=", ownerId);
  const { total } = await counting.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return Number(total);
}

/** Leaves the keys of an account without an owner. */
export async function giveUpKeysOf(tx: Handle, ownerId: string): Promise<void> {
  await tx.updateTable("apiKeys").set({ ownerId: null }).where("ownerId", "=", ownerId).execute();
}

export async function removeKeysOf(tx: Handle, ownerId: string): Promise<void> {
  await tx.deleteFrom("apiKeys").where("ownerId", "=", ownerId).execute();
}

export async function updateApiKey(tx: Handle, { lastUsedDate: _, ...changed }: ApiKeyRow): Promise<void> {
  await rows.update(tx, changed);
}
