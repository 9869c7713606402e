import { type FindComponent, type Reference, referencesOf } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import type { FlowNode, Json } from "@weft/schema";

export type FlowReference = Reference & { nodeId: string };

/** The references of a flow's steps, in order. A step of an unknown type has none. */
export function referencesOfFlow(
  { nodes }: { nodes: readonly (Pick<FlowNode, "id" | "type"> & { config: Json })[] },
  nodeTypes: NodeRegistry,
  find: FindComponent,
): FlowReference[] {
  return nodes.flatMap(({ id: nodeId, type, config }) => {
    const nodeType = Object.hasOwn(nodeTypes, type) ? nodeTypes[type] : undefined;
    if (nodeType === undefined) return [];
    const found = referencesOf(config, { schema: nodeType.config, component: type }, find);
    return found.map((reference) => ({ ...reference, nodeId }));
  });
}
