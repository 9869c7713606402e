import type { Clock } from "@weft/engine";
import {
  createAccountService,
  createAuthenticator,
  createIdentityCache,
  createTokens,
  loadTokenKey,
} from "./accounts/index.ts";
import { type ApiKeyServiceDeps, createApiKeyService } from "./api-keys/api-key.service.ts";
import type { Config } from "./config.ts";

export type IdentityDeps = Omit<ApiKeyServiceDeps, "clock" | "forgetIdentities"> & { config: Config; clock: Clock };

/** The part of the platform that knows who sends a request. */
export async function createIdentity({ config, ...deps }: IdentityDeps) {
  const { database, clock, ids } = deps;
  const cache = createIdentityCache(clock);
  const tokens = createTokens({ key: await loadTokenKey(config.dataDir), ttlMs: config.jwtTtlMs, clock, ids });
  const apiKeys = createApiKeyService({ ...deps, forgetIdentities: () => cache.clear() });
  return {
    apiKeys,
    accounts: createAccountService({ ...deps, tokens, cache }),
    authenticate: createAuthenticator({ database, tokens, cache, identifyApiKey: apiKeys.identify }),
  };
}
