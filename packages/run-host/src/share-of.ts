import { toNetwork } from "@weft/http";
import { type Identity, ownerOf } from "@weft/http/identity";
import type { Share } from "@weft/schema";

export type ShareSource = {
  agentId: string;
  /** `account:<id>`, `client:<id>` or `anonymous`; absent if unknown. */
  owner?: string | undefined;
  /** Of a visitor; unknown for a run that another process started, because no journal keeps it. */
  network?: string | undefined;
};

/** The share of a run: per agent, one per owner and, for visitors, one per network. */
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

/** Owner of visitors' runs. */
export const anonymousOwner = "anonymous";

/**
 * Prefix of the version ids of built-in flows: work on the journal that answers nobody. No agent's version has it:
 * theirs are uuids.
 */
export const builtInPrefix = "built-in:";

/** Stands in for an agent's id in runs of built-in flows. */
export const noAgentId = "built-in";

export function isBuiltIn(flowVersionId: string): boolean {
  return flowVersionId.startsWith(builtInPrefix);
}
