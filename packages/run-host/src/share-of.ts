import { toNetwork } from "@weft/http";
import { type Identity, ownerOf } from "@weft/http/identity";
import type { Share } from "@weft/schema";

export type ShareSource = {
  agentId: string;
  /** `account:<id>`, `client:<id>` or `anonymous`; absent where it is not known. */
  owner?: string | undefined;
  /** Of a visitor; unknown for a run that another process began, because no journal keeps it. */
  network?: string | undefined;
};

/** In whose name a run works: one owner's at one agent; of visitors, one network's. */
export function shareOf({ agentId, owner = "", network = "" }: ShareSource): Share {
  const isAnonymous = owner === anonymousOwner;
  return { name: `${agentId} ${isAnonymous ? network : owner}`, group: agentId, isAnonymous };
}

/** The caller, for any agent. */
export function callerShareOf({ owner = "", network = "" }: Omit<ShareSource, "agentId">): Share {
  const isAnonymous = owner === anonymousOwner;
  return { name: isAnonymous ? network : owner, isAnonymous };
}

/** The sender of a request. Visitors are known only by their network. */
export function askerOf(identity: Identity | undefined, clientAddress: string): { owner: string; network: string } {
  return { owner: ownerOf(identity), network: toNetwork(clientAddress) };
}

/** What the runs of visitors have as their owner. */
export const anonymousOwner = "anonymous";

/**
 * Flows of the platform itself, by the version id that their runs have: work on the journal that answers nobody. No
 * version of an agent begins so: theirs are uuids.
 */
export const builtInPrefix = "built-in:";

/** What runs of built-in flows have in place of an agent's id. */
export const noAgentId = "built-in";

export function isBuiltIn(flowVersionId: string): boolean {
  return flowVersionId.startsWith(builtInPrefix);
}
