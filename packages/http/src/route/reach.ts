import { WeftError } from "@weft/schema";
import type { Route } from "./define-route.ts";
import { type Identity, isGranted, noOwner, ownerOf } from "./identity.ts";

/**
 * Which agents a caller reaches, and whose chats with them. Anything beyond it is answered as if it did not exist.
 * Source: contract "Identity".
 */
export type Reach = {
  owners: "all" | readonly string[];
  /** Ids of agents and assistants. */
  agents: "all" | ReadonlySet<string>;
};

/** For the platform's own work. */
export const everything: Reach = { owners: "all", agents: "all" };

/** What the sender of a request reaches: its own chats, and those of others if it was granted them. */
export function reachOf(identity: Identity | undefined): Reach {
  // Requests without credentials show an id that nobody guesses: that is what opens a chat from before owners to them.
  if (identity === undefined) return { owners: [ownerOf(identity), noOwner], agents: "all" };
  if (identity.kind !== "api-key") return everything;
  const { grants, agents } = identity;
  const isOfAll = isGranted(grants, "chats:all") || isGranted(grants, "chats:write");
  return { owners: isOfAll ? "all" : [ownerOf(identity)], agents };
}

export function reachesAgent({ agents }: Pick<Reach, "agents">, agentId: string): boolean {
  return agents === "all" || agents.has(agentId.toLowerCase());
}

/** Whether it reaches something of a chat. */
export function reaches(reach: Reach, { agentId, owner }: { agentId: string; owner: string }): boolean {
  return reachesAgent(reach, agentId) && (reach.owners === "all" || reach.owners.includes(owner));
}

/**
 * Whose chats a message goes on with, by their ids, where its sender has none of that id; in this order. Keys with
 * `chats:all` share theirs, as all keys did before chats had owners.
 */
export function adoptedBy(identity: Identity | undefined): readonly string[] {
  if (identity?.kind !== "api-key") return [noOwner];
  return isGranted(identity.grants, "chats:all") ? [noOwner, ...identity.sharesWith] : [];
}

/** What a request for an agent beyond the reach of its API key is answered with, and nothing is handled. */
type Unreached = { answer: unknown };

/**
 * Keeps API keys that are limited to agents to these. Undefined where the request may be handled. Throws `not-found` for
 * a foreign agent, as for an unknown one, and `forbidden` for operations that are not about one of the key's agents.
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
