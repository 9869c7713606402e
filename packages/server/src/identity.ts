import type { Clock, IdSource } from "@weft/engine";
import { createAccountService } from "./accounts/account.service.ts";
import { createAuthenticator } from "./accounts/authenticator.ts";
import { createIdentityCache } from "./accounts/identity-cache.ts";
import { loadTokenKey } from "./accounts/key-file.ts";
import { createTokens } from "./accounts/tokens.ts";
import { createApiKeyService } from "./api-keys/api-key.service.ts";
import type { Config } from "./config.ts";
import type { Logger } from "./logger.ts";
import type { Database } from "./storage/database.ts";

export type IdentityDeps = { config: Config; database: Database; clock: Clock; ids: IdSource; logger: Logger };

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
