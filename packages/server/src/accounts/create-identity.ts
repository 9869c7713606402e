import type { Clock, IdSource } from "@weft/engine";
import { type ApiKeyService, createApiKeyService } from "../api-keys/api-key.service.ts";
import type { Authenticate } from "../http/authorise.ts";
import type { Logger } from "../logger.ts";
import type { Database } from "../storage/database.ts";
import { type AccountService, createAccountService } from "./account.service.ts";
import { createAuthenticator } from "./authenticator.ts";
import { createIdentityCache } from "./identity-cache.ts";
import { loadTokenKey } from "./key-file.ts";
import { createTokens } from "./tokens.ts";

export type IdentityDeps = {
  database: Database;
  /** Folder of the key that signs tokens. */
  dataDir: string;
  jwtTtlMs: number;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  logger: Logger;
};

/** Accounts, API keys, and the proof of who sends a request, over one cache. */
export type IdentityServices = { accounts: AccountService; apiKeys: ApiKeyService; authenticate: Authenticate };

/** Rejects when the key file cannot be read or made. */
export async function createIdentity({ dataDir, jwtTtlMs, ...deps }: IdentityDeps): Promise<IdentityServices> {
  const tokens = createTokens({ ...deps, key: await loadTokenKey(dataDir), ttlMs: jwtTtlMs });
  const cache = createIdentityCache(deps.clock);
  const apiKeys = createApiKeyService({ ...deps, forgetIdentities: cache.clear });
  return {
    accounts: createAccountService({ ...deps, tokens, cache }),
    apiKeys,
    authenticate: createAuthenticator({ ...deps, tokens, cache, identifyApiKey: apiKeys.identify }),
  };
}
