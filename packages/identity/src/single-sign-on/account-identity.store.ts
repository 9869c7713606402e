import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";

/** Someone at a provider, and the account that they have here. */
export type AccountIdentityRow = {
  issuer: string;
  /** The provider's id of the person, which it gives to nobody else. */
  subject: string;
  id: string;
  accountId: string;
  /** The address that the provider named last, for people to recognise it by. */
  email: string;
  createdDate: string;
  usedDate: string;
};

declare module "@weft/database" {
  interface Tables {
    accountIdentities: AccountIdentityRow;
  }
}

type Handle = Kysely<Tables>;

/** At most 100 of an account. */
export function identitiesOf(db: Handle, accountId: string): Promise<AccountIdentityRow[]> {
  const found = db.selectFrom("accountIdentities").selectAll().where("accountId", "=", accountId);
  return found.orderBy("id").limit(100).execute();
}

export function findIdentity(
  db: Handle,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<AccountIdentityRow | undefined> {
  const found = db.selectFrom("accountIdentities").selectAll().where("issuer", "=", issuer);
  return found.where("subject", "=", subject).executeTakeFirst();
}

/** False if the person has an account here already: then nothing was written. */
export async function insertIdentity(tx: Handle, row: AccountIdentityRow): Promise<boolean> {
  const inserting = tx
    .insertInto("accountIdentities")
    .values(row)
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing());
  return (await inserting.returning("id").executeTakeFirst()) !== undefined;
}

export async function markUsed(
  tx: Handle,
  { issuer, subject }: { issuer: string; subject: string },
  seen: { email: string; usedDate: string },
): Promise<void> {
  const updating = tx.updateTable("accountIdentities").set(seen).where("issuer", "=", issuer);
  await updating.where("subject", "=", subject).execute();
}

/** False if the account has none with this id. */
export async function removeIdentity(
  tx: Handle,
  { id, accountId }: { id: string; accountId: string },
): Promise<boolean> {
  const deleting = tx.deleteFrom("accountIdentities").where("accountId", "=", accountId).where("id", "=", id);
  return (await deleting.returning("id").executeTakeFirst()) !== undefined;
}
