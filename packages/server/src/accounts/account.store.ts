import type { AccountRow, Tables } from "@weft/database";
import type { Kysely } from "kysely";
import { forgetNetworks } from "./known-network.store.ts";

type Handle = Kysely<Tables>;

export function findAccount(db: Handle, id: string): Promise<AccountRow | undefined> {
  return db.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();
}

export function findAccountByEmail(db: Handle, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom("accounts").selectAll().where("email", "=", email).executeTakeFirst();
}

export async function hasAccounts(db: Handle): Promise<boolean> {
  return (await db.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** False when the e-mail address is taken: then nothing was written. */
export async function insertAccount(tx: Handle, row: AccountRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("accounts")
    .values(row)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Sets a new password in place of the present one, and forgets from where that was proved. False when that is another by now: then nothing was written. */
export async function updatePassword(
  tx: Handle,
  { id, passwordHash, tokensValidFrom, updatedDate }: AccountRow,
  presentHash: string,
): Promise<boolean> {
  const updated = await tx
    .updateTable("accounts")
    .set({ passwordHash, tokensValidFrom, updatedDate })
    .where("id", "=", id)
    .where("passwordHash", "=", presentHash)
    .returning("id")
    .executeTakeFirst();
  if (updated !== undefined) await forgetNetworks(tx, id);
  return updated !== undefined;
}

export async function isTokenRevoked(db: Handle, jti: string): Promise<boolean> {
  return (await db.selectFrom("revokedTokens").select("jti").where("jti", "=", jti).executeTakeFirst()) !== undefined;
}

/** Remembers a token as revoked until it expires, and forgets those that have. False when it was revoked before. */
export async function insertRevokedToken(
  tx: Handle,
  row: { jti: string; expiresAt: string },
  now: string,
): Promise<boolean> {
  await tx.deleteFrom("revokedTokens").where("expiresAt", "<", now).execute();
  const inserted = await tx
    .insertInto("revokedTokens")
    .values(row)
    .onConflict((conflict) => conflict.column("jti").doNothing())
    .returning("jti")
    .executeTakeFirst();
  return inserted !== undefined;
}
