import { hash } from "node:crypto";
import type { Tables } from "@weft/database";
import { defineRows } from "@weft/http/rows";
import { momentAfter, type Role } from "@weft/schema";
import type { Kysely } from "kysely";

export type AccountRow = {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** PHC string of an argon2id hash; empty for who has only ever signed in at a provider. */
  passwordHash: string;
  /** Start of the current token generation; tokens of earlier ones are void. */
  tokensValidFrom: string;
  createdDate: string;
  updatedDate: string;
};

export type RevokedTokenRow = { jti: string; expiresAt: string };

declare module "@weft/database" {
  interface Tables {
    accounts: AccountRow;
    revokedTokens: RevokedTokenRow;
  }
}

type Handle = Kysely<Tables>;

export const accounts = defineRows<AccountRow>("accounts", "account");

export function allAccounts(db: Handle) {
  return db.selectFrom("accounts").selectAll().orderBy("email");
}

export async function countOwners(db: Handle): Promise<number> {
  const counting = db.selectFrom("accounts").where("role", "=", "owner");
  const { total } = await counting.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return Number(total);
}

/** Removes an account, which voids its tokens, and what it signed in with elsewhere. */
export async function removeAccount(tx: Handle, id: string): Promise<void> {
  await tx.deleteFrom("accountIdentities").where("accountId", "=", id).execute();
  await forgetNetworks(tx, id);
  await accounts.remove(tx, id);
}

export function findAccount(db: Handle, id: string): Promise<AccountRow | undefined> {
  return db.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();
}

export function findAccountByEmail(db: Handle, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom("accounts").selectAll().where("email", "=", email).executeTakeFirst();
}

export async function hasAccounts(db: Handle): Promise<boolean> {
  return (await db.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** False if the e-mail address is taken: then nothing was written. */
export async function insertAccount(tx: Handle, row: AccountRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("accounts")
    .values(row)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * Replaces the current password hash, and forgets the networks that proved it. False if it has changed meanwhile: then
 * nothing was written.
 */
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

/** Voids every token of an account. */
export async function endSessions(tx: Handle, id: string, nowMs: number): Promise<void> {
  const { tokensValidFrom } = await accounts.lock(tx, id);
  const next = momentAfter(tokensValidFrom, nowMs);
  await tx.updateTable("accounts").set({ tokensValidFrom: next }).where("id", "=", id).execute();
}

export async function isTokenRevoked(db: Handle, jti: string): Promise<boolean> {
  return (await db.selectFrom("revokedTokens").select("jti").where("jti", "=", jti).executeTakeFirst()) !== undefined;
}

/** Stores a token as revoked until it expires, and removes expired ones. False if it was already revoked. */
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

/** A network from which an account has proved its password. */
export type AccountNetworkRow = { accountId: string; networkHash: string; usedDate: string };

declare module "@weft/database" {
  interface Tables {
    accountNetworks: AccountNetworkRow;
  }
}

/** Maximum networks per account; the least recently used is removed first. */
const networksPerAccount = 20;

/** Whether an account has proved its password from a network before. */
export async function isKnownNetwork(db: Handle, accountId: string, network: string): Promise<boolean> {
  const row = await db
    .selectFrom("accountNetworks")
    .select("accountId")
    .where("accountId", "=", accountId)
    .where("networkHash", "=", toHash(accountId, network))
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that an account proved its password from a network, and removes those beyond the newest. */
export async function rememberNetwork(tx: Handle, accountId: string, network: string, usedDate: string): Promise<void> {
  if (network === "") return;
  const row = { accountId, networkHash: toHash(accountId, network), usedDate };
  await tx
    .insertInto("accountNetworks")
    .values(row)
    .onConflict((conflict) => conflict.columns(["accountId", "networkHash"]).doUpdateSet({ usedDate }))
    .execute();
  const newest = tx
    .selectFrom("accountNetworks")
    .select("networkHash")
    .where("accountId", "=", accountId)
    .orderBy("usedDate", "desc")
    .orderBy("networkHash")
    .limit(networksPerAccount);
  await tx
    .deleteFrom("accountNetworks")
    .where("accountId", "=", accountId)
    .where("networkHash", "not in", newest)
    .execute();
}

async function forgetNetworks(tx: Handle, accountId: string): Promise<void> {
  await tx.deleteFrom("accountNetworks").where("accountId", "=", accountId).execute();
}

/** The address itself is not stored. */
function toHash(accountId: string, network: string): string {
  return hash("sha256", `${accountId} ${network}`, "base64url");
}
