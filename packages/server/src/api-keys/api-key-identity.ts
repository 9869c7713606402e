import type { ApiKeyRow, Tables } from "@weft/database";
import { type ApiKeyIdentity, clientOwner } from "@weft/http";
import type { Kysely } from "kysely";
import { listApiKeys } from "./api-key.store.ts";
import { agentsReachedBy, toGrants } from "./api-key-grants.ts";

/** The sender of requests with a key. */
export async function toKeyIdentity(read: Kysely<Tables>, row: ApiKeyRow): Promise<ApiKeyIdentity> {
  const { id: apiKeyId, keyName, clientId } = row;
  const grants = new Set(toGrants(row));
  return {
    kind: "api-key",
    apiKeyId,
    keyName,
    clientId,
    grants,
    agents: agentsReachedBy(row),
    sharesWith: grants.has("chats:all") ? await otherSharers(read, clientId) : [],
  };
}

/** Owners of chats that keys with `chats:all` go on with, besides their own. */
async function otherSharers(read: Kysely<Tables>, clientId: string): Promise<string[]> {
  const sharing = (await listApiKeys(read)).filter((row) => toGrants(row).includes("chats:all"));
  return [...new Set(sharing.map((row) => clientOwner(row.clientId)))].filter(
    (owner) => owner !== clientOwner(clientId),
  );
}
