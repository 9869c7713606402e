import type { NamingSettings } from "@weft/agents";
import { readFlow } from "@weft/dialects";
import type { NodeRegistry } from "@weft/engine/node";
import { type Identity, isGranted, type Permission, reachesAgent, reachOf } from "@weft/http/identity";
import { type ErrorItem, keyOfOwnStore, type ReferenceKind, WeftError } from "@weft/schema";
import { type FlowReference, referencesOfFlow, referencesOfSettings } from "./find-references.ts";
import { referencesOfOwnStore } from "./stored-references.ts";

/** Permission that its author needs to let a flow use it. Kinds without an entry are open to every author. */
const needed: Partial<Readonly<Record<ReferenceKind, Permission>>> = {
  agent: "predictions:run",
  credential: "credentials:read",
  "document-store": "document-stores:read",
  tool: "tools:read",
  variable: "variables:read",
};

/** Checks the references of a flow to be saved, as text of any dialect. */
export type AssertMayName = (identity: Identity | undefined, flowData: string, settings?: NamingSettings) => void;

/**
 * Who saves a flow may name in it only what they may use themselves: other agents, credentials, stores, tools and
 * variables. The function throws `references-not-permitted` with each that they may not.
 */
export function createReachCheck(nodeTypes: NodeRegistry): AssertMayName {
  return (identity, flowData, settings = {}) => {
    if (identity === undefined || mayNameEverything(identity)) return;
    const { flow, stores = [] } = readFlow(flowData);
    const references = [
      ...referencesOfFlow(flow, nodeTypes),
      ...referencesOfSettings(settings).map((reference) => ({ ...reference, nodeId: "settings" })),
      ...stores.flatMap((store) =>
        referencesOfOwnStore(store).map((reference) => ({ ...reference, nodeId: store.key })),
      ),
    ];
    const errors = references.flatMap((reference) => whyNot(reference, identity));
    if (errors.length === 0) return;
    const reason = [...new Set(errors.map(({ message }) => message))].slice(0, 20).join("; ");
    throw new WeftError("references-not-permitted", { params: { reason }, errors: errors.slice(0, 100) });
  };
}

function mayNameEverything(identity: Identity): boolean {
  const isLimited = identity.kind === "api-key" && identity.agents !== "all";
  return !isLimited && Object.values(needed).every((permission) => isGranted(identity.grants, permission));
}

type Named = Pick<FlowReference, "kind" | "id" | "nodeId" | "path">;

function whyNot({ kind, id, nodeId, path }: Named, identity: Identity): ErrorItem[] {
  const permission = needed[kind];
  if (permission === undefined || keyOfOwnStore(id) !== undefined) return [];
  const place = [nodeId, ...path].join(".");
  const named = `the ${kind.replace("-", " ")} ${id.slice(0, 100)}`;
  if (!isGranted(identity.grants, permission)) return [{ path: place, message: `${named} needs ${permission}` }];
  if (kind !== "agent" || identity.kind !== "api-key" || identity.agents === "all") return [];
  if (id.includes("{{")) return [{ path: place, message: `${named} is known at run time only` }];
  return reachesAgent(reachOf(identity).agents, id)
    ? []
    : [{ path: place, message: `${named} is none of the key's agents` }];
}
