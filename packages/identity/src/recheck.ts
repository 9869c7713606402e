import type { Database } from "@weft/database";
import type { Recheck } from "@weft/http";
import { findAccount, toAccountIdentity } from "./accounts/index.ts";
import type { ApiKeyService } from "./api-keys/api-key.service.ts";

/**
 * Looks an identity up that was proven a while ago. A token that ended or was revoked alone, as by signing out, says nothing
 * of its account: what it began goes on.
 */
export function createRecheck({ read }: Database, { recall }: ApiKeyService): Recheck {
  return async (identity) => {
    if (identity.kind === "operator") return identity;
    if (identity.kind === "api-key") return recall(identity);
    const account = await findAccount(read, identity.accountId);
    const now = account && { ...identity, ...toAccountIdentity(account) };
    return now?.generation === identity.generation ? now : undefined;
  };
}
