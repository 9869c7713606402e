import { type Database, DatabaseUnavailableError } from "@weft/database";
import type { WallClock } from "@weft/engine/ports/clock";
import type { Authenticate } from "@weft/http";
import { type ApiKeyIdentity, allGrants, type Identity } from "@weft/http/identity";
import { WeftError } from "@weft/schema";
import { LRUCache } from "lru-cache";
import { grantsOf } from "../roles.ts";
import { type AccountRow, findAccount, isTokenRevoked } from "./account.store.ts";
import { toGeneration } from "./reset-password.ts";
import { isTokenShaped, operatorSubject, type TokenClaims, type Tokens } from "./tokens.ts";

type AuthenticatorDeps = {
  database: Database;
  tokens: Tokens;
  cache: IdentityCache;
  /** The identity of a key; undefined if it is not one. */
  identifyApiKey(key: string): Promise<ApiKeyIdentity | undefined>;
};

/** Longer values are not bearers of ours, and not worth hashing. */
const bearerLengthLimit = 4_096;

/** Authenticates a request's sender by its Authorization header: a token, or an API key in any issued form. */
export function createAuthenticator({ database, tokens, cache, identifyApiKey }: AuthenticatorDeps): Authenticate {
  async function prove(bearer: string): Promise<Identity> {
    const remember = cache.begin();
    const identity = isTokenShaped(bearer) ? await identifyToken(bearer) : await identifyApiKey(bearer);
    if (identity === undefined) throw unauthenticated("What was sent is wrong, expired or revoked.");
    remember(bearer, identity);
    return identity;
  }

  async function identifyToken(token: string): Promise<Identity | undefined> {
    const claims = await tokens.verify(token);
    if (claims === undefined || (await isTokenRevoked(database.read, claims.tokenId))) return undefined;
    const { tokenId, expiresAtMs, subject } = claims;
    const proof = { tokenId, expiresAtMs };
    if (subject === operatorSubject) return { kind: "operator", grants: allGrants, ...proof };
    const account = await accountOf(claims);
    if (account === undefined) return undefined;
    return { ...toAccountIdentity(account), ...proof };
  }

  async function accountOf({ subject, generation }: TokenClaims): Promise<AccountRow | undefined> {
    const account = await findAccount(database.read, subject);
    return account !== undefined && generation === toGeneration(account) ? account : undefined;
  }

  /** Falls back to an earlier proof if the database does not answer in time. */
  async function proveOrRecall(bearer: string): Promise<Identity> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new DatabaseUnavailableError("the database does not answer", undefined)),
      proofPatienceMs,
    );
    try {
      const identity = await Promise.race([prove(bearer), late.promise]);
      cache.keepForOutage(bearer);
      return identity;
    } catch (cause) {
      const known = cause instanceof DatabaseUnavailableError ? cache.recall(bearer) : undefined;
      if (known === undefined) throw cause;
      return known;
    } finally {
      clearTimeout(timer);
    }
  }

  return (authorization, { trustsLastProof } = { trustsLastProof: false }) => {
    const bearer = readBearer(authorization);
    const known = cache.get(bearer);
    if (!trustsLastProof) return known ?? prove(bearer);
    if (known !== undefined) cache.keepForOutage(bearer);
    return known ?? proveOrRecall(bearer);
  };
}

/** The part of an identity that does not depend on its token. */
export function toAccountIdentity(row: AccountRow) {
  const { id: accountId, email, role } = row;
  return { kind: "account", accountId, email, grants: grantsOf(role), generation: String(toGeneration(row)) } as const;
}

/** How long an operation that trusts the last proof waits for a new one. */
const proofPatienceMs = 1_500;

/** The value after `Bearer` (RFC 6750, 2.1). The scheme is case-insensitive. Throws `unauthenticated`. */
export function readBearer(authorization: string | null): string {
  if (authorization === null) throw unauthenticated("The Authorization header is missing.");
  const match = /^bearer +([\w.~+/=-]+) *$/i.exec(authorization);
  const bearer = match?.[1];
  if (bearer === undefined || bearer.length > bearerLengthLimit)
    throw unauthenticated("The Authorization header is malformed.");
  return bearer;
}

function unauthenticated(reason: string): WeftError {
  return new WeftError("unauthenticated", { params: { reason } });
}

/** How long an identity is trusted without checking the database: the delay of a revocation by another process. */
const trustedMs = 1_000;
const capacity = 10_000;

/**
 * Remembers which bearers were proven. Invariants:
 * - an entry is younger than 1 s and its token has not expired;
 * - after `clear` no entry remains or appears that was proven before it: a revocation in this process is immediate;
 * - at most 10,000 entries, the least recently used one goes first;
 * - what is kept for an outage serves operations alone that ask for it, for a day, and no longer than its token.
 */
export type IdentityCache = {
  get(bearer: string): Identity | undefined;
  /** Call before the proof; the returned function stores its result, unless `clear` came between. */
  begin(): (bearer: string, identity: Identity) => void;
  clear(): void;
  /** Keeps an entry that `get` would give. */
  keepForOutage(bearer: string): void;
  /** The entry kept for an outage. */
  recall(bearer: string): Identity | undefined;
};

const outageMs = 86_400_000;
const outageCapacity = 100;

export function createIdentityCache(clock: WallClock): IdentityCache {
  type Entries = LRUCache<string, { identity: Identity; validUntilMs: number }>;
  const entries: Entries = new LRUCache({ max: capacity });
  const forOutages: Entries = new LRUCache({ max: outageCapacity });
  let generation = 0;

  function put(into: Entries, bearer: string, kept: { identity: Identity; forMs: number }): void {
    const { identity, forMs } = kept;
    const trustedUntilMs = clock.now() + forMs;
    const expiresAtMs = identity.kind === "api-key" ? trustedUntilMs : identity.expiresAtMs;
    into.set(bearer, { identity, validUntilMs: Math.min(trustedUntilMs, expiresAtMs) });
  }

  function take(from: Entries, bearer: string): Identity | undefined {
    const entry = from.get(bearer);
    if (entry === undefined) return undefined;
    if (entry.validUntilMs > clock.now()) return entry.identity;
    from.delete(bearer);
    return undefined;
  }

  return {
    get: (bearer) => take(entries, bearer),
    begin() {
      const begun = generation;
      return (bearer, identity) => {
        if (begun === generation) put(entries, bearer, { identity, forMs: trustedMs });
      };
    },
    clear() {
      generation++;
      entries.clear();
      forOutages.clear();
    },
    keepForOutage(bearer) {
      const identity = take(entries, bearer);
      if (identity !== undefined) put(forOutages, bearer, { identity, forMs: outageMs });
    },
    recall: (bearer) => take(forOutages, bearer),
  };
}
