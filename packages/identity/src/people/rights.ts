import type { Tables } from "@weft/database";
import { allGrants, type Grant, type Identity, isGranted } from "@weft/http/identity";
import { type Role, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import { type AccountRow, accounts, findAccount } from "../accounts/index.ts";
import { grantsOf, missingFor } from "../roles.ts";
import { removeLinksOf } from "./account-link.store.ts";

/**
 * Nobody gives a role with more rights than their own, nor manages someone who has more: a new password for an owner
 * would be a way to become one. What counts is what the database says in this transaction, since an identity may be a
 * second old. Rejects with `forbidden`, or `unauthenticated` if the manager's account is gone.
 */
export async function assertMayManage(tx: Kysely<Tables>, manager: Identity, managed: Role): Promise<void> {
  const { grants, isOwner } = await rightsOf(tx, manager);
  if (!isGranted(grants, "people:write")) throw forbidden("people:write");
  if (managed === "owner" && !isOwner) {
    const message = "Only an owner can make owners, change them or remove them.";
    throw new WeftError("forbidden", { params: { permission: "" }, message });
  }
  const missing = missingFor(grants, managed);
  if (missing !== undefined) throw forbidden(missing);
}

/** Writes an account whose role has changed. Links of it and for it end: they are of the rights that it had. */
export async function writeNewRole(tx: Kysely<Tables>, changed: AccountRow): Promise<void> {
  await accounts.update(tx, changed);
  await removeLinksOf(tx, changed.email);
}

async function rightsOf(
  tx: Kysely<Tables>,
  manager: Identity,
): Promise<{ grants: ReadonlySet<Grant>; isOwner: boolean }> {
  if (manager.kind === "operator") return { grants: allGrants, isOwner: true };
  if (manager.kind === "api-key") return { grants: manager.grants, isOwner: false };
  const account = await findAccount(tx, manager.accountId);
  if (account === undefined) throw new WeftError("unauthenticated", { params: { reason: "The account was removed." } });
  return { grants: grantsOf(account.role), isOwner: account.role === "owner" };
}

function forbidden(permission: string): WeftError {
  return new WeftError("forbidden", { params: { permission } });
}
