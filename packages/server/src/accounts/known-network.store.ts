import { hash } from "node:crypto";
import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";

type Handle = Kysely<Tables>;

/** Networks of an account at most; the one that was used longest ago goes first. */
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

/** Remembers that an account proved its password from a network, and forgets those beyond the newest. */
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

export async function forgetNetworks(tx: Handle, accountId: string): Promise<void> {
  await tx.deleteFrom("accountNetworks").where("accountId", "=", accountId).execute();
}

/** The address itself is not kept. */
function toHash(accountId: string, network: string): string {
  return hash("sha256", `${accountId} ${network}`, "base64url");
}
