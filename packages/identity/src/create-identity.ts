import type { Database } from "@weft/database";
import type { GivenKeys } from "@weft/database/secret-file";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import type { Limits } from "@weft/http";
import type { Logger } from "@weft/http/logger";
import {
  createAccountService,
  createAuthenticator,
  createIdentityCache,
  createPasswordGate,
  createTokens,
  openTokenKey,
} from "./accounts/index.ts";
import { type AgentExists, createApiKeyService } from "./api-keys/api-key.service.ts";
import { createAccountLinkService } from "./people/account-link.service.ts";
import type { People } from "./people/person.routes.ts";
import { createPersonService } from "./people/person.service.ts";
import { createRecheck } from "./recheck.ts";
import { createSingleSignOn, type SingleSignOn, type SingleSignOnDeps } from "./single-sign-on/index.ts";

export type IdentityDeps = {
  database: Database;
  clock: WallClock;
  ids: IdSource;
  logger: Logger;
  limits: Limits;
  /** The folder of the key that signs tokens, unless `jwtKey` is one. */
  dataDir: string;
  jwtKey: GivenKeys;
  /** Whether other processes need the same key. */
  isShared: boolean;
  /** How long tokens are valid. */
  jwtTtlMs: number;
  agentExists: AgentExists;
};

/** Accounts, API keys, and authentication of requests. */
export async function createIdentity(deps: IdentityDeps) {
  const { database, clock, ids, logger } = deps;
  const cache = createIdentityCache(clock);
  const tokenKey = await openTokenKey(database, deps);
  const tokens = createTokens({ key: tokenKey, ttlMs: deps.jwtTtlMs, clock, ids });
  const context = { database, clock, ids, logger, cache, tokens, passwords: createPasswordGate(deps.limits) };
  const apiKeys = createApiKeyService(context, deps.agentExists);
  const accounts = createAccountService(context);
  const persons = createPersonService(context, apiKeys);
  const people: People = { accounts, persons, links: createAccountLinkService(context) };
  return {
    apiKeys,
    accounts,
    people,
    authenticate: createAuthenticator({ database, tokens, cache, identifyApiKey: apiKeys.identify }),
    recheck: createRecheck(database, apiKeys),
    openSingleSignOn: (more: Omit<SingleSignOnDeps, "limits" | "tokenKey">): SingleSignOn =>
      createSingleSignOn(context, { ...more, limits: deps.limits, tokenKey }),
  };
}
