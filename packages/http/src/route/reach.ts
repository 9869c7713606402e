import { type Identity, noOwner, ownerOf } from "./identity.ts";
import { isGranted } from "./permissions.ts";

/**
 * Which agents somebody reaches, and whose chats with them. Whatever is beyond it answers as what does not exist.
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
