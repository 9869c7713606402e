import type { Tables } from "@weft/database";
import { defineRows } from "@weft/http/rows";
import type { AccountLink } from "@weft/schema";
import type { Kysely } from "kysely";

export type AccountLinkRow = AccountLink & {
  /** SHA-256 of the token, hex. */
  tokenHash: string;
};

declare module "@weft/database" {
  interface Tables {
    accountLinks: AccountLinkRow;
  }
}

type Handle = Kysely<Tables>;

export const rows = defineRows<AccountLinkRow>("accountLinks", "invitation");

/** Most recently created first. */
export function allLinks(db: Handle) {
  return db.selectFrom("accountLinks").selectAll().orderBy("createdDate", "desc").orderBy("id");
}

export async function countInvitations(db: Handle): Promise<number> {
  const invitations = db.selectFrom("accountLinks").where("kind", "=", "invitation");
  const counting = invitations.select((eb) => eb.fn.countAll<number>().as("total"));
  return Number((await counting.executeTakeFirstOrThrow()).total);
}

export function findLinkByToken(db: Handle, tokenHash: string): Promise<AccountLinkRow | undefined> {
  return db.selectFrom("accountLinks").selectAll().where("tokenHash", "=", tokenHash).executeTakeFirst();
}

/** Removes those for an e-mail address, and all that expired before `now`. */
export async function replaceLinks(tx: Handle, { email, now }: { email: string; now: string }): Promise<void> {
  await tx
    .deleteFrom("accountLinks")
    .where((eb) => eb.or([eb("email", "=", email), eb("expiresDate", "<=", now)]))
    .execute();
}

/**
 * Removes those for an account and those that it created: made before its rights changed, they would let someone in by
 * rights that were taken away.
 */
export async function removeLinksOf(tx: Handle, email: string): Promise<void> {
  await tx
    .deleteFrom("accountLinks")
    .where((eb) => eb.or([eb("email", "=", email), eb("createdBy", "=", email)]))
    .execute();
}
