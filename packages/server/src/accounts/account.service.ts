import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock, IdSource } from "@weft/engine";
import {
  type Account,
  type Login,
  momentAfter,
  type PasswordChange,
  type Session,
  type Setup,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { AccountIdentity, Identity, OperatorIdentity } from "../http/identity.ts";
import type { Database } from "../storage/database.ts";
import type { AccountRow } from "../storage/tables.ts";
import * as store from "./account.store.ts";
import type { IdentityCache } from "./identity-cache.ts";
import { createDecoyHash, hashPassword, verifyPassword } from "./password.ts";
import { operatorSubject, type Tokens } from "./tokens.ts";
import { createWorkLimiter } from "./work-limiter.ts";

export type AccountServiceDeps = {
  database: Database;
  tokens: Tokens;
  cache: IdentityCache;
  clock: Pick<Clock, "now">;
  ids: IdSource;
};

/** Who is calling, and with which permissions. */
export type Caller = { kind: Identity["kind"]; user: Account | null; permissions: string[] };

export type AccountService = {
  /** Makes sure the configured account exists; its password is left as it is when it does. */
  ensureAdmin(admin: { email: string; password: string }): Promise<void>;
  /** The one-time token with which `setUp` works, the same for the life of the process; undefined once an account exists. */
  findSetupToken(): Promise<string | undefined>;
  /** Creates the first account. Rejects with `setup-token-wrong`, or `conflict` when there is an account. */
  setUp(setup: Setup): Promise<Session>;
  /** Rejects with `login-failed`, or `rate-limited` when too many log in at once. */
  logIn(login: Login): Promise<Session>;
  /** Revokes the caller's token. */
  logOut(identity: Identity): Promise<void>;
  /** A new token in place of the caller's, which is revoked. */
  refresh(identity: Identity): Promise<{ token: string; expiresAt: string }>;
  /** Revokes every token of the account and answers a new one. */
  changePassword(identity: Identity, change: PasswordChange): Promise<Session>;
  describe(identity: Identity): Promise<Caller>;
};

type NewAccount = { email: string; password: string; name?: string | undefined };

export function createAccountService({ database, tokens, cache, clock, ids }: AccountServiceDeps): AccountService {
  const setupToken = randomBytes(24).toString("base64url");
  const hashing = createWorkLimiter({ running: 2, waiting: 64 });
  const decoyHash = createDecoyHash();

  async function startSession(row: AccountRow): Promise<Session> {
    return { ...(await tokens.issue(row.id)), user: toAccount(row) };
  }

  async function toRow({ email, password, name = "" }: NewAccount): Promise<AccountRow> {
    const passwordHash = await hashing.run(() => hashPassword(password));
    const now = toMoment(clock.now());
    return { id: ids.uuid(), email, name, passwordHash, tokensValidFrom: now, createdDate: now, updatedDate: now };
  }

  async function revoke({ tokenId, expiresAtMs }: AccountIdentity | OperatorIdentity): Promise<void> {
    const revoked = { jti: tokenId, expiresAt: toMoment(expiresAtMs) };
    await database.write((tx) => store.insertRevokedToken(tx, revoked, toMoment(clock.now())));
    cache.clear();
  }

  return {
    async ensureAdmin(admin) {
      if ((await store.findAccountByEmail(database.read, admin.email)) !== undefined) return;
      const row = await toRow(admin);
      await database.write((tx) => store.insertAccount(tx, row));
    },

    async findSetupToken() {
      return (await store.hasAccounts(database.read)) ? undefined : setupToken;
    },

    async setUp({ token, ...account }) {
      if (await store.hasAccounts(database.read)) throw alreadySetUp();
      if (!isSame(token, setupToken)) throw new WeftError("setup-token-wrong");
      const row = await toRow(account);
      await database.write(async (tx) => {
        if ((await store.hasAccounts(tx)) || !(await store.insertAccount(tx, row))) throw alreadySetUp();
      });
      return startSession(row);
    },

    async logIn({ email, password }) {
      const row = await store.findAccountByEmail(database.read, email);
      // An unknown address costs as much as a wrong password, so that nobody learns which addresses exist.
      const passwordHash = row?.passwordHash ?? decoyHash;
      const isRight = await hashing.run(() => verifyPassword(password, passwordHash));
      if (row === undefined || !isRight) throw new WeftError("login-failed");
      return startSession(row);
    },

    logOut: (identity) => revoke(tokenOf(identity)),

    async refresh(identity) {
      const current = tokenOf(identity);
      const issued = await tokens.issue(current.kind === "operator" ? operatorSubject : current.accountId);
      await revoke(current);
      return issued;
    },

    async changePassword(identity, { currentPassword, newPassword }) {
      const row = await findOwnAccount(database, identity);
      if (!(await hashing.run(() => verifyPassword(currentPassword, row.passwordHash))))
        throw new WeftError("login-failed");
      const passwordHash = await hashing.run(() => hashPassword(newPassword));
      const now = toMoment(clock.now());
      const changed = {
        ...row,
        passwordHash,
        tokensValidFrom: now,
        updatedDate: momentAfter(row.updatedDate, clock.now()),
      };
      await database.write((tx) => store.updatePassword(tx, changed));
      cache.clear();
      return startSession(changed);
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

function toAccount({ id, email, name, createdDate, updatedDate }: AccountRow): Account {
  return { id, email, name, createdDate, updatedDate };
}

function tokenOf(identity: Identity): AccountIdentity | OperatorIdentity {
  if (identity.kind !== "api-key") return identity;
  throw needsAccount("An API key has no session. Delete the key under /api/v1/apikey to revoke it.");
}

async function findOwnAccount(database: Database, identity: Identity): Promise<AccountRow> {
  if (identity.kind !== "account") throw needsAccount("Log in with the account whose password you want to change.");
  const row = await store.findAccount(database.read, identity.accountId);
  if (row === undefined) throw new WeftError("not-found", { params: { resource: "account", id: identity.accountId } });
  return row;
}

function needsAccount(reason: string): WeftError {
  return new WeftError("parameters-invalid", { params: { reason } });
}

function alreadySetUp(): WeftError {
  return new WeftError("conflict", { params: { reason: "An account exists already. Log in with it." } });
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));
}
