import { adoptedBy, type Identity, isAccount, nameOf, reachOf } from "@weft/http";
import { askerOf } from "@weft/run-host";
import { isApiKey } from "../api-keys/api-key.service.ts";
import type { Caller, CarriedKey } from "./admit.ts";

export type CallerSource = {
  /** Undefined: nobody is known to send the request. */
  identity: Identity | undefined;
  headers: Headers;
  clientAddress: string;
  /** The API key of that value; undefined when there is none. */
  findApiKey(key: string): Promise<CarriedKey | undefined>;
};

/** The sender of a request, as agents see it. */
export function createCaller({ identity, headers, clientAddress, findApiKey }: CallerSource): Caller {
  return {
    ...askerOf(identity, clientAddress),
    name: nameOf(identity),
    adopts: adoptedBy(identity),
    reach: reachOf(identity),
    isAnonymous: identity === undefined,
    mayEdit: isAccount(identity),
    apiKeys: () => apiKeysOf(identity, headers, findApiKey),
  };
}

/**
 * The API keys that a request carries: its bearer, and `X-API-Key` beside it. Where nobody is known to send it,
 * a bearer is no more than a key.
 */
async function apiKeysOf(
  identity: Identity | undefined,
  headers: Headers,
  findApiKey: CallerSource["findApiKey"],
): Promise<CarriedKey[]> {
  const find = async (key: string | undefined) =>
    key !== undefined && isApiKey(key) ? await findApiKey(key) : undefined;
  const bearer = headers.get("authorization")?.replace(/^Bearer\s+/i, "");
  const ofBearer = identity === undefined ? await find(bearer) : carriedBy(identity);
  return [ofBearer, await find(headers.get("x-api-key") ?? undefined)].filter((key) => key !== undefined);
}

function carriedBy(identity: Identity): CarriedKey | undefined {
  return identity.kind === "api-key" ? { id: identity.apiKeyId, agents: identity.agents } : undefined;
}
