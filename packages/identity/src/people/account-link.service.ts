import { hash, randomBytes } from "node:crypto";
import type { Tables } from "@weft/database";
import { type Identity, nameOf } from "@weft/http/identity";
import {
  type AccountLink,
  type InvitationCreate,
  type LinkUse,
  type NewAccountLink,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import {
  type AccountRow,
  accounts,
  findAccountByEmail,
  type IdentityContext,
  insertAccount,
  updatePassword,
  withPassword,
} from "../accounts/index.ts";
import * as store from "./account-link.store.ts";
import { type AccountLinkRow, rows } from "./account-link.store.ts";
import { assertMayManage } from "./rights.ts";

/**
 * Links that let someone in once: an invitation makes an account, a reset gives one a new password. A link is bound to an
 * e-mail address and ends after 7 days, or when a newer one is made for the address.
 */
export type AccountLinkService = {
  /** Most recently created first: at most 1,000 invitations, and one link for each account. */
  list(): Promise<AccountLink[]>;
  /** Only this answer shows the token. Rejects with `conflict` if the address has an account, or too many are open. */
  invite(invitation: InvitationCreate, creator: Identity): Promise<NewAccountLink>;
  /** Rejects with `forbidden` where the creator has fewer rights than the account. The old password works until the link is used. */
  offerReset(accountId: string, creator: Identity): Promise<NewAccountLink>;
  remove(id: string, remover: Identity): Promise<void>;
  /** What a token is for. Rejects with `link-invalid`. */
  look(token: string): Promise<AccountLink>;
  /** The account that was made, or has the new password: its earlier sessions have ended. Rejects with `link-invalid`. */
  use(use: LinkUse): Promise<AccountRow>;
};

const validMs = 7 * 86_400_000;
const mostOpen = 1_000;
const tokenBytes = 32;

export function createAccountLinkService(context: IdentityContext): AccountLinkService {
  const { database, clock, cache, passwords } = context;

  return {
    async list() {
      const now = toMoment(clock.now());
      return (await store.allLinks(database.read).execute()).filter((row) => row.expiresDate > now).map(toLink);
    },

    invite: ({ email, role }, creator) =>
      database.write(async (tx) => {
        await assertMayManage(tx, creator, role);
        if ((await findAccountByEmail(tx, email)) !== undefined) throw alreadyThere(email);
        return create(context, tx, { kind: "invitation", email, role, createdBy: nameOf(creator) ?? "" });
      }),

    offerReset: (accountId, creator) =>
      database.write(async (tx) => {
        const { email, role } = await accounts.get(tx, accountId);
        await assertMayManage(tx, creator, role);
        return create(context, tx, { kind: "password-reset", email, role, createdBy: nameOf(creator) ?? "" });
      }),

    remove: (id, remover) =>
      database.write(async (tx) => {
        const { role } = await rows.get(tx, id);
        await assertMayManage(tx, remover, role);
        await rows.remove(tx, id);
      }),

    async look(token) {
      return toLink(await findValid(database.read, token, clock.now()));
    },

    async use({ token, password, name }) {
      // Looked at first: a wrong token costs no hash.
      await findValid(database.read, token, clock.now());
      const passwordHash = await passwords.hash(password);
      const account = await database.write(async (tx) => {
        const link = await findValid(tx, token, clock.now());
        await rows.remove(tx, link.id);
        return link.kind === "invitation"
          ? createInvited(context, tx, { ...link, name, passwordHash })
          : replacePassword(tx, link, { passwordHash, nowMs: clock.now() });
      });
      cache.clear();
      return account;
    },
  };
}

async function create(
  { clock, ids }: IdentityContext,
  tx: Kysely<Tables>,
  link: Pick<AccountLink, "kind" | "email" | "role" | "createdBy">,
): Promise<NewAccountLink> {
  const now = toMoment(clock.now());
  await store.replaceLinks(tx, { email: link.email, now });
  if (link.kind === "invitation" && (await store.countInvitations(tx)) >= mostOpen) throw tooMany();
  const token = randomBytes(tokenBytes).toString("base64url");
  const expiresDate = toMoment(clock.now() + validMs);
  const row = { ...link, id: ids.uuid(), tokenHash: toHash(token), createdDate: now, expiresDate };
  await rows.insert(tx, row);
  return { ...toLink(row), token };
}

async function createInvited(
  { clock, ids }: IdentityContext,
  tx: Kysely<Tables>,
  { email, role, name = "", passwordHash }: AccountLinkRow & { name: string | undefined; passwordHash: string },
): Promise<AccountRow> {
  const now = toMoment(clock.now());
  const dates = { tokensValidFrom: now, createdDate: now, updatedDate: now };
  const account = { id: ids.uuid(), email, name, role, passwordHash, ...dates };
  if (!(await insertAccount(tx, account))) throw alreadyThere(email);
  return account;
}

async function replacePassword(
  tx: Kysely<Tables>,
  { email }: AccountLinkRow,
  { passwordHash, nowMs }: { passwordHash: string; nowMs: number },
): Promise<AccountRow> {
  const account = await findAccountByEmail(tx, email);
  if (account === undefined) throw new WeftError("link-invalid");
  const changed = withPassword(account, passwordHash, nowMs);
  await updatePassword(tx, changed, account.passwordHash);
  return changed;
}

async function findValid(db: Kysely<Tables>, token: string, nowMs: number): Promise<AccountLinkRow> {
  const link = await store.findLinkByToken(db, toHash(token));
  if (link === undefined || Date.parse(link.expiresDate) <= nowMs) throw new WeftError("link-invalid");
  return link;
}

/** A token of 256 random bits needs no salt and no slow hash. */
function toHash(token: string): string {
  return hash("sha256", token, "hex");
}

function toLink({ tokenHash: _, ...shown }: AccountLinkRow): AccountLink {
  return shown;
}

function alreadyThere(email: string): WeftError {
  return new WeftError("conflict", { params: { reason: `${email} already has an account.` } });
}

function tooMany(): WeftError {
  const reason = `There are ${mostOpen} open invitations. Revoke some, or wait until they expire.`;
  return new WeftError("conflict", { params: { reason } });
}
