import { isApiKey } from "../api-keys/api-key.service.ts";
import type { Identity } from "../http/identity.ts";

/**
 * Ids of the API keys that a request carries: its bearer, and `X-API-Key` beside it. Where nobody is known to send it,
 * a bearer is no more than a key.
 */
export async function apiKeyIdsOf(
  identity: Identity | undefined,
  headers: Headers,
  findApiKeyId: (key: string) => Promise<string | undefined>,
): Promise<string[]> {
  const idOf = async (key: string | undefined) =>
    key !== undefined && isApiKey(key) ? await findApiKeyId(key) : undefined;
  const bearer = headers.get("authorization")?.replace(/^Bearer\s+/i, "");
  const ofBearer =
    identity === undefined ? await idOf(bearer) : identity.kind === "api-key" ? identity.apiKeyId : undefined;
  return [ofBearer, await idOf(headers.get("x-api-key") ?? undefined)].filter((id) => id !== undefined);
}
