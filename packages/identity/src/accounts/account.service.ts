import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { toNetwork } from "@weft/http";
import type { AccountIdentity, Identity, OperatorIdentity } from "@weft/http/identity";
import {
  type Account,
  type Login,
  type PasswordChange,
  type Role,
  type Session,
  type Setup,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { AccountRow } from "./account.store.ts";
import * as store from "./account.store.ts";
import type { IdentityContext } from "./identity-context.ts";
import { toGeneration, withPassword } from "./reset-password.ts";
import type { IssuedToken, Tokens } from "./tokens.ts";

/** The caller, with its permissions. */
export type Caller = { kind: Identity["kind"]; user: Account | null; permissions: string[] };

export type AccountService = {
  /** Creates the configured account if missing; leaves an existing one's password unchanged. */
  ensureAdmin(admin: { email: string; password: string }): Promise<void>;
  /** The one-time token for `setUp`, constant for the life of the process; undefined once an account exists. */
  findSetupToken(): Promise<string | undefined>;
  /** Creates the first account. Rejects with `setup-token-wrong`, or `conflict` if there is an account. */
  setUp(setup: Setup, clientAddress: string): Promise<Session>;
  /** Rejects with `login-failed`, or `rate-limited` after too many failures; see `createPasswordGate`. */
  logIn(login: Login, clientAddress: string): Promise<Session>;
  /** Revokes the caller's token. */
  logOut(identity: Identity): Promise<void>;
  /** Revokes every token of the caller's account. */
  endSessions(identity: Identity): Promise<void>;
  /** Replaces the caller's token, which is revoked. Rejects with `unauthenticated` if it already was. */
  refresh(identity: Identity, token: string): Promise<IssuedToken>;
  /** Revokes every token of the account and returns a new one. The current password is guarded as in `logIn`. */
  changePassword(identity: Identity, change: PasswordChange, clientAddress: string): Promise<Session>;
  describe(identity: Identity): Promise<Caller>;
  /** Starts a session of someone who has just chosen their password. */
  enter(row: AccountRow, clientAddress: string): Promise<Session>;
};

export function createAccountService(context: IdentityContext): AccountService {
  const { database, tokens, cache, clock, passwords } = context;
  const setupToken = randomBytes(24).toString("base64url");

  return {
    async ensureAdmin(admin) {
      if ((await store.findAccountByEmail(database.read, admin.email)) !== undefined) return;
      const row = toRow(context, admin, await passwords.hash(admin.password));
      await database.write((tx) => store.insertAccount(tx, row));
    },

    async findSetupToken() {
      return (await store.hasAccounts(database.read)) ? undefined : setupToken;
    },

    async setUp({ token, ...account }, clientAddress) {
      if (await store.hasAccounts(database.read)) throw alreadySetUp();
      if (!isSame(token, setupToken)) throw new WeftError("setup-token-wrong");
      const row = toRow(context, account, await passwords.hash(account.password));
      await database.write(async (tx) => {
        if ((await store.hasAccounts(tx)) || !(await store.insertAccount(tx, row))) throw alreadySetUp();
      });
      return this.enter(row, clientAddress);
    },

    async logIn({ email, password }, clientAddress) {
      const row = await store.findAccountByEmail(database.read, email);
      return startSession(tokens, await prove(context, { email, password, clientAddress }, row));
    },

    async logOut(identity) {
      await revoke(context, tokenOf(identity));
    },

    async endSessions(identity) {
      const { id } = await findOwnAccount(context, identity);
      await database.write((tx) => store.endSessions(tx, id, clock.now()));
      cache.clear();
    },

    async refresh(identity, token) {
      const current = tokenOf(identity);
      const renewed = await tokens.renew(token);
      // Another process may have revoked it a moment ago, while this one still trusted it.
      if (renewed !== undefined && (await revoke(context, current))) return renewed;
      throw new WeftError("unauthenticated", { params: { reason: "The token was revoked." } });
    },

    async changePassword(identity, { currentPassword, newPassword }, clientAddress) {
      const row = await findOwnAccount(context, identity);
      await prove(context, { email: row.email, password: currentPassword, clientAddress }, row);
      const changed = withPassword(row, await passwords.hash(newPassword), clock.now());
      const isChanged = await database.write((tx) => store.updatePassword(tx, changed, row.passwordHash));
      if (!isChanged) throw new WeftError("login-failed");
      await remember(context, row, clientAddress);
      cache.clear();
      return startSession(tokens, changed);
    },

    async enter(row, clientAddress) {
      await remember(context, row, clientAddress);
      return startSession(tokens, row);
    },

    async describe(identity) {
      const user = identity.kind === "account" ? await store.findAccount(database.read, identity.accountId) : undefined;
      return {
        kind: identity.kind,
        user: user === undefined ? null : toAccount(user),
        permissions: [...identity.grants],
      };
    },
  };
}

/** A session of someone who has proved who they are. */
export async function startSession(tokens: Tokens, row: AccountRow): Promise<Session> {
  return { ...(await tokens.issue(row.id, toGeneration(row))), user: toAccount(row) };
}

type Proof = { email: string; password: string; clientAddress: string };

/** Proves a password as the gate allows, and records the network. */
async function prove(
  context: IdentityContext,
  { email, password, clientAddress }: Proof,
  row: AccountRow | undefined,
): Promise<AccountRow> {
  const network = toNetwork(clientAddress);
  const isKnown = await store.isKnownNetwork(context.database.read, row?.id ?? context.ids.uuid(), network);
  const proved = await context.passwords.prove({ email, password, network, isKnown }, row);
  await remember(context, proved, clientAddress);
  return proved;
}

function remember({ database, clock }: IdentityContext, { id }: AccountRow, clientAddress: string): Promise<void> {
  const now = toMoment(clock.now());
  return database.write((tx) => store.rememberNetwork(tx, id, toNetwork(clientAddress), now));
}

function toRow(
  { clock, ids }: IdentityContext,
  { email, name = "", role = "owner" }: { email: string; name?: string | undefined; role?: Role },
  passwordHash: string,
): AccountRow {
  const now = toMoment(clock.now());
  return { id: ids.uuid(), email, name, role, passwordHash, tokensValidFrom: now, createdDate: now, updatedDate: now };
}

/** False if the token was already revoked. */
async function revoke(
  { database, cache, clock }: IdentityContext,
  { tokenId, expiresAtMs }: AccountIdentity | OperatorIdentity,
): Promise<boolean> {
  const revoked = { jti: tokenId, expiresAt: toMoment(expiresAtMs) };
  const isNew = await database.write((tx) => store.insertRevokedToken(tx, revoked, toMoment(clock.now())));
  cache.clear();
  return isNew;
}

export function toAccount({ id, email, name, role, passwordHash, createdDate, updatedDate }: AccountRow): Account {
  return { id, email, name, role, hasPassword: passwordHash !== "", createdDate, updatedDate };
}

function tokenOf(identity: Identity): AccountIdentity | OperatorIdentity {
  if (identity.kind !== "api-key") return identity;
  throw needsAccount("An API key has no session. Delete the key under /api/v1/apikey to revoke it.");
}

async function findOwnAccount({ database }: IdentityContext, identity: Identity): Promise<AccountRow> {
  if (identity.kind !== "account") throw needsAccount("Log in with the account that this is about.");
  const row = await store.findAccount(database.read, identity.accountId);
  if (row === undefined) throw new WeftError("not-found", { params: { resource: "account", id: identity.accountId } });
  return row;
}

function needsAccount(reason: string): WeftError {
  return new WeftError("parameters-invalid", { params: { reason } });
}

function alreadySetUp(): WeftError {
  return new WeftError("conflict", { params: { reason: "An account already exists. Log in with it." } });
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));
}
