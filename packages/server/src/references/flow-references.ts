import { type FindComponent, type Reference, referencesOf } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import type { FlowNode, Json } from "@weft/schema";

/** What a step of a flow names. */
export type FlowReference = Reference & { nodeId: string };

/** What the steps of a flow name, in their order. A step of a type that does not exist names nothing. */
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
