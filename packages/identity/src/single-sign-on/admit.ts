import type { Tables } from "@weft/database";
import { type IdentityProvider, momentAfter, type Role, toMoment, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import {
  type AccountRow,
  accounts,
  countOwners,
  findAccountByEmail,
  type IdentityContext,
  insertAccount,
} from "../accounts/index.ts";
import { writeNewRole } from "../people/rights.ts";
import { findIdentity, insertIdentity, markUsed } from "./account-identity.store.ts";
import { type Claimed, readClaims } from "./claims.ts";
import type { ProvenIdentity } from "./oidc-client.ts";
import { rolesOf } from "./provider.service.ts";

/** The account of someone whom a provider has proved, or why they have none. */
export type Admitted = { account: AccountRow } | { refusal: WeftError };

/**
 * Finds, connects or makes the account of someone at a provider. Invariants:
 * S1 issuer and subject say who someone is. An e-mail address leads to an account that exists only where the provider
 *    says that it is verified and its settings claim the domain, and never to an owner's;
 * S2 roles by claims are read at each sign-in and hold at once. Where a provider can give nobody the role of an owner,
 *    it takes it from nobody, and the last owner stays one;
 * S3 who has lost the last group with a role does not get in, and their other sessions end.
 * The refusal is a value: what is lost with it has to be committed.
 */
export async function admit(
  context: IdentityContext,
  tx: Kysely<Tables>,
  { provider, proven }: { provider: IdentityProvider; proven: ProvenIdentity },
): Promise<Admitted> {
  const claimed = readClaims(provider, proven.claims);
  const now = toMoment(context.clock.now());
  const known = await findIdentity(tx, proven);
  if (known !== undefined) {
    await markUsed(tx, proven, { email: claimed.email ?? known.email, usedDate: now });
    return applyRole(context, tx, { provider, claimed, account: await accounts.lock(tx, known.accountId) });
  }
  const found = await findOrMake(context, tx, { provider, claimed });
  if ("refusal" in found) return found;
  await connect(context, tx, { proven, accountId: found.account.id, email: claimed.email ?? "" });
  return found.isNew ? found : applyRole(context, tx, { provider, claimed, account: found.account });
}

/** False if the person has an account here already. */
export function connect(
  { ids, clock }: IdentityContext,
  tx: Kysely<Tables>,
  { proven, accountId, email }: { proven: ProvenIdentity; accountId: string; email: string },
): Promise<boolean> {
  const now = toMoment(clock.now());
  const { issuer, subject } = proven;
  return insertIdentity(tx, { issuer, subject, id: ids.uuid(), accountId, email, createdDate: now, usedDate: now });
}

type Claim = { provider: IdentityProvider; claimed: Claimed };

type Refusal = "sign-in-no-account" | "sign-in-no-email" | "sign-in-email-taken" | "sign-in-no-role";

async function findOrMake(
  context: IdentityContext,
  tx: Kysely<Tables>,
  claim: Claim,
): Promise<{ account: AccountRow; isNew: boolean } | { refusal: WeftError }> {
  const { email } = claim.claimed;
  const existing = email === undefined ? undefined : await findAccountByEmail(tx, email);
  // The first account is an owner's, made with the token that the server printed.
  const found = existing === undefined && (await countOwners(tx)) === 0 ? "sign-in-no-account" : judge(claim, existing);
  if (found === "existing" && existing !== undefined)
    return { account: await accounts.lock(tx, existing.id), isNew: false };
  if (typeof found === "object") {
    const account = toAccountRow(context, found);
    if (await insertAccount(tx, account)) return { account, isNew: true };
  }
  const code = typeof found === "object" || found === "existing" ? "sign-in-email-taken" : found;
  return { refusal: new WeftError(code, { params: { provider: claim.provider.name } }) };
}

type NewAccount = { email: string; name: string; role: Role };

/** The account that someone unknown gets: the existing one of their address, a new one, or none. */
function judge({ provider, claimed }: Claim, existing: AccountRow | undefined): "existing" | NewAccount | Refusal {
  const { email, isVerified, isOfDomain, name, role } = claimed;
  const isProved = isVerified === true && isOfDomain;
  const mayJoin = provider.signUp === "anyone" || (provider.signUp === "domains" && isOfDomain);
  if (existing !== undefined) {
    if (isProved && existing.role !== "owner") return "existing";
    // Whether an address has an account is told only to those who have verified it, or may have one themselves.
    return mayJoin || isVerified === true ? "sign-in-email-taken" : "sign-in-no-account";
  }
  if (!mayJoin) return "sign-in-no-account";
  const isUsable = provider.signUp === "domains" ? isProved : isVerified !== false;
  if (email === undefined || !isUsable) return "sign-in-no-email";
  return role === undefined ? "sign-in-no-role" : { email, name, role };
}

/** An account without a password. */
function toAccountRow({ clock, ids }: IdentityContext, { email, name, role }: NewAccount): AccountRow {
  const now = toMoment(clock.now());
  const dates = { tokensValidFrom: now, createdDate: now, updatedDate: now };
  return { id: ids.uuid(), email, name, role, passwordHash: "", ...dates };
}

async function applyRole(
  { clock }: IdentityContext,
  tx: Kysely<Tables>,
  { provider, claimed, account }: Claim & { account: AccountRow },
): Promise<Admitted> {
  if (provider.roleClaim === "" || claimed.role === account.role) return { account };
  const isKept = account.role === "owner" && (!rolesOf(provider).includes("owner") || (await countOwners(tx)) <= 1);
  if (isKept) return { account };
  if (claimed.role === undefined) {
    await accounts.update(tx, { id: account.id, tokensValidFrom: momentAfter(account.tokensValidFrom, clock.now()) });
    return { refusal: new WeftError("sign-in-no-role", { params: { provider: provider.name } }) };
  }
  const updatedDate = momentAfter(account.updatedDate, clock.now());
  const changed = { ...account, role: claimed.role, updatedDate };
  await writeNewRole(tx, changed);
  return { account: changed };
}
