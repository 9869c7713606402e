import type { AccountRow, Database } from "@weft/database";
import type { ApiKeyIdentity, Authenticate, Grant, Identity } from "@weft/http";
import { WeftError } from "@weft/schema";
import { findAccount, isTokenRevoked } from "./account.store.ts";
import type { IdentityCache } from "./identity-cache.ts";
import { toGeneration } from "./reset-password.ts";
import { operatorSubject, type TokenClaims, type Tokens } from "./tokens.ts";

export type AuthenticatorDeps = {
  database: Database;
  tokens: Tokens;
  cache: IdentityCache;
  /** Whose key it is; undefined when it is none. */
  identifyApiKey(key: string): Promise<ApiKeyIdentity | undefined>;
};

/** Longer values are no bearer of ours, and not worth hashing. */
const bearerLengthLimit = 4_096;
const allGrants: ReadonlySet<Grant> = new Set<Grant>(["*"]);

/** Proves who sends a request from its Authorization header: an API key (`wk_…`) or a token. */
export function createAuthenticator({ database, tokens, cache, identifyApiKey }: AuthenticatorDeps): Authenticate {
  async function prove(bearer: string): Promise<Identity> {
    const remember = cache.begin();
    const identity = bearer.startsWith("wk_") ? await identifyApiKey(bearer) : await identifyToken(bearer);
    if (identity === undefined) throw unauthenticated("What was sent is wrong, expired or revoked.");
    remember(bearer, identity);
    return identity;
  }

  async function identifyToken(token: string): Promise<Identity | undefined> {
    const claims = await tokens.verify(token);
    if (claims === undefined || (await isTokenRevoked(database.read, claims.tokenId))) return undefined;
    const { tokenId, expiresAtMs, subject } = claims;
    const common = { tokenId, expiresAtMs, grants: allGrants };
    if (subject === operatorSubject) return { kind: "operator", ...common };
    const account = await accountOf(claims);
    return account && { kind: "account", accountId: subject, email: account.email, ...common };
  }

  async function accountOf({ subject, generation }: TokenClaims): Promise<AccountRow | undefined> {
    const account = await findAccount(database.read, subject);
    return account !== undefined && generation === toGeneration(account) ? account : undefined;
  }

  return (authorization) => {
    const bearer = readBearer(authorization);
    return cache.get(bearer) ?? prove(bearer);
  };
}

/** The value after `Bearer` (RFC 6750, 2.1). The scheme is written in any case. Throws `unauthenticated`. */
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
