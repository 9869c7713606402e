import {
  permissions as existingPermissions,
  type Grant,
  type Identity,
  isGrant,
  isGranted,
  type Reach,
} from "@weft/http/identity";
import { type ApiKeyUpdate, parseTextList, WeftError } from "@weft/schema";
import type { ApiKeyRow } from "./api-key.store.ts";

export function toGrants({ permissions }: ApiKeyRow): Grant[] {
  return parseTextList(permissions).filter(isGrant);
}

/** Ids of the agents that a key is limited to; empty: none. */
export function toAgents({ agents }: ApiKeyRow): string[] {
  return parseTextList(agents);
}

export function agentsReachedBy(row: ApiKeyRow): Reach["agents"] {
  const agents = toAgents(row);
  return agents.length === 0 ? "all" : new Set(agents);
}

/** Throws `validation-failed` for nonexistent permissions, `forbidden` for those that the giver lacks. */
export function assertGivable(permissions: readonly string[], giver: Identity): Grant[] {
  const grants = [...new Set(permissions)].map((name, index) => {
    if (isGrant(name)) return name;
    const message = `The permission ${name.slice(0, 100)} does not exist. Available permissions: *, ${existingPermissions.join(", ")}`;
    const errors = [{ path: `permissions.${index}`, message }];
    throw new WeftError("validation-failed", { params: { reason: message }, errors });
  });
  const missing = grants.find((grant) => !isGranted(giver.grants, grant));
  if (missing !== undefined) throw new WeftError("forbidden", { params: { permission: missing } });
  return grants;
}

/**
 * Nobody creates a key that reaches further than they do. Throws `forbidden` for agents beyond those of the giver's own
 * key, and for a client that is another's, whose chats the new key would read.
 */
export function assertReachGivable({ agents, clientId }: ApiKeyUpdate, giver: Identity): void {
  const own = giver.kind === "api-key" ? giver : undefined;
  const limits = own === undefined || own.agents === "all" ? undefined : own.agents;
  if (limits && agents !== undefined && (agents.length === 0 || agents.some((id) => !limits.has(id)))) {
    throw new WeftError("forbidden", { params: { permission: "" }, message: beyondOwnAgents });
  }
  if (clientId !== undefined && clientId !== own?.clientId && !isGranted(giver.grants, "chats:all")) {
    throw new WeftError("forbidden", { params: { permission: "chats:all" } });
  }
}

type KnownAgents = { exists(id: string): Promise<boolean>; present?: readonly string[] };

/**
 * Throws `validation-failed` for an agent that does not exist, unless it is `present`: a key stays limited to what was
 * deleted, because a list that loses its last agent would open all of them.
 */
export async function assertAgentsExist(
  agents: readonly string[],
  { exists, present = [] }: KnownAgents,
): Promise<void> {
  for (const [index, id] of agents.entries()) {
    if (present.includes(id) || (await exists(id))) continue;
    const message = `There is no agent or assistant with the id ${id}. Correct the id, or leave the list empty for all`;
    const errors = [{ path: `agents.${index}`, message }];
    throw new WeftError("validation-failed", { params: { reason: message }, errors });
  }
}

const beyondOwnAgents =
  "This API key is limited to agents, so the keys that it creates must be limited to some of them: list these in agents.";
