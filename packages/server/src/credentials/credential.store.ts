import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";

export type CredentialRow = {
  id: string;
  name: string;
  credentialName: string;
  /** AES-256-GCM: key id, nonce, ciphertext and tag, base64. */
  encryptedData: string;
  /** JSON list of the hosts that it is bound to; null until those that flows use are entered, once. */
  hosts: string | null;
  /** JSON object of who allowed a host and when, by its entry in `hosts`; null until earlier hosts were examined. */
  confirmations: string | null;
  /** Creator, as `ownerOf` returns it; null if unknown. */
  createdBy: string | null;
  createdDate: string;
  updatedDate: string;
};

declare module "@weft/database" {
  interface Tables {
    credentials: CredentialRow;
  }
}

type Handle = Kysely<Tables>;

export type CredentialFilter = { credentialName?: readonly string[] | undefined };
export type Window = { offset: number; limit: number };

/** Most recently updated first. */
export function listCredentials(db: Handle, filter: CredentialFilter, window?: Window): Promise<CredentialRow[]> {
  const rows = filtered(db, filter).selectAll().orderBy("updatedDate", "desc").orderBy("id");
  return (window === undefined ? rows : rows.limit(window.limit).offset(window.offset)).execute();
}

export async function countCredentials(db: Handle, filter: CredentialFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export function findCredential(db: Handle, id: string): Promise<CredentialRow | undefined> {
  return db.selectFrom("credentials").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Reads a credential and locks out every other writer until the transaction ends, on both databases. */
export function lockCredential(tx: Handle, id: string): Promise<CredentialRow | undefined> {
  return tx
    .updateTable("credentials")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

/** False if the id is taken: then nothing was written. */
export async function insertCredential(tx: Handle, row: CredentialRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("credentials")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateCredential(tx: Handle, row: CredentialRow): Promise<void> {
  const { id, createdDate: _, ...changes } = row;
  await tx.updateTable("credentials").set(changes).where("id", "=", id).execute();
}

/** Sorted. */
export async function listCredentialIds(db: Handle): Promise<string[]> {
  return (await db.selectFrom("credentials").select("id").orderBy("id").execute()).map(({ id }) => id);
}

/** Changes only the sealed text: to clients the credential is the same. */
export async function updateSealedText(tx: Handle, id: string, encryptedData: string): Promise<void> {
  await tx.updateTable("credentials").set({ encryptedData }).where("id", "=", id).execute();
}

export async function isKeyInUse(db: Handle, keyId: string): Promise<boolean> {
  const query = db.selectFrom("credentials").select("id").where("encryptedData", "like", `${keyId}.%`).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** False if there was none. */
export async function deleteCredential(tx: Handle, id: string): Promise<boolean> {
  const deleted = await tx.deleteFrom("credentials").where("id", "=", id).returning("id").executeTakeFirst();
  return deleted !== undefined;
}

function filtered(db: Handle, { credentialName }: CredentialFilter) {
  const query = db.selectFrom("credentials");
  return credentialName === undefined ? query : query.where("credentialName", "in", credentialName);
}
