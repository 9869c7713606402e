import { WeftError } from "@weft/schema";
import type { Route } from "./define-route.ts";
import { type Identity, isGranted, noOwner, ownerOf } from "./identity.ts";

/**
 * The agents within a caller's reach, and the chats with them. Anything beyond is answered as if it did not exist.
 * Source: contract "Identity".
 */
export type Reach = {
  owners: "all" | readonly string[];
  /** Ids of agents and assistants. */
  agents: "all" | ReadonlySet<string>;
};

export const everything: Reach = { owners: "all", agents: "all" };

/** The reach of a request's sender: its own chats, and those of others if granted. */
export function reachOf(identity: Identity | undefined): Reach {
  // Requests without credentials present an unguessable id, which opens a chat that predates owners to them.
  if (identity === undefined) return { owners: [ownerOf(identity), noOwner], agents: "all" };
  if (identity.kind !== "api-key") return everything;
  const { grants, agents } = identity;
  const isOfAll = isGranted(grants, "chats:all") || isGranted(grants, "chats:write");
  return { owners: isOfAll ? "all" : [ownerOf(identity)], agents };
}

export function reachesAgent({ agents }: Pick<Reach, "agents">, agentId: string): boolean {
  return agents === "all" || agents.has(agentId.toLowerCase());
}

/** Whether a chat, or something in it, is within reach. */
export function reaches(reach: Reach, { agentId, owner }: { agentId: string; owner: string }): boolean {
  return reachesAgent(reach, agentId) && (reach.owners === "all" || reach.owners.includes(owner));
}

/**
 * Owners whose chat a message continues, by its id, if its sender has none of that id; in this order. Keys with
 * `chats:all` share theirs, as all keys did before chats had owners.
 */
export function adoptedBy(identity: Identity | undefined): readonly string[] {
  if (identity?.kind !== "api-key") return [noOwner];
  return isGranted(identity.grants, "chats:all") ? [noOwner, ...identity.sharesWith] : [];
}

/** The answer to a request for an agent beyond the reach of its API key, which is not handled. */
type Unreached = { answer: unknown };

/**
 * Confines API keys that are limited to agents. Undefined if the request may be handled. Throws `not-found` for a
 * foreign agent, as for an unknown one, and `forbidden` for operations that are not about one of the key's agents.
 */
export function keepToAgents(route: Route, identity: Identity | undefined, params: unknown): Unreached | undefined {
  const reach = reachOf(identity);
  if (reach.agents === "all" || route.agent === "reach") return undefined;
  if (route.agent === undefined) {
    if (!isAboutAgents(route)) return undefined;
    throw new WeftError("forbidden", { params: { permission: "" }, message: notAboutOne });
  }
  const { param, resource = "agent", unknown } = route.agent;
  const id = String((params as Record<string, unknown>)[param]);
  if (reachesAgent(reach, id)) return undefined;
  if (unknown === undefined) throw new WeftError("not-found", { params: { resource, id } });
  return { answer: unknown() };
}

function isAboutAgents({ permission: access }: Route): boolean {
  const permission = typeof access === "string" ? access : access.permission;
  return /^(agents|assistants|installation|privacy):/.test(permission);
}

const notAboutOne =
  "This API key is limited to agents, and this operation is not about one of them. Use a key without that limit.";
