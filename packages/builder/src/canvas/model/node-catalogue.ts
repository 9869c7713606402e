import type { NodeType } from "@weft/client";
import { errorPort, type FlowNode, type JsonSchema, type PortDefinition, portsOf } from "@weft/schema";

/** The server's node types, for code that draws or connects nodes. */
export type NodeCatalogue = {
  readonly types: readonly NodeType[];
  /** Undefined for a type that this server does not have. */
  typeOf(node: Pick<FlowNode, "type">): NodeType | undefined;
  /** The output ports of a node besides its error port, for its current config. */
  portsOf(node: FlowNode): readonly PortDefinition[];
  hasInput(node: Pick<FlowNode, "type">): boolean;
  hasErrorPort(node: FlowNode): boolean;
  /** Whether edges may leave from the port. */
  hasPort(node: FlowNode, portId: string): boolean;
  hasSubFlow(node: FlowNode): boolean;
  isNote(node: FlowNode): boolean;
};

export function createNodeCatalogue(types: readonly NodeType[]): NodeCatalogue {
  const byType = new Map(types.map((type) => [type.type, type]));
  const ports = new WeakMap<FlowNode, readonly PortDefinition[]>();
  const typeOf: NodeCatalogue["typeOf"] = (node) => byType.get(node.type);

  const catalogue: NodeCatalogue = {
    types,
    typeOf,
    portsOf(node) {
      const known = ports.get(node);
      if (known) return known;
      const type = typeOf(node);
      const found = type ? portsOf(type.ports, { ...defaultsOf(type), ...node.config }) : [];
      ports.set(node, found);
      return found;
    },
    hasInput: (node) => (typeOf(node)?.executes ?? true) && typeOf(node)?.group !== "start",
    hasErrorPort: (node) => catalogue.hasInput(node),
    hasPort: (node, portId) =>
      (portId === errorPort && catalogue.hasErrorPort(node)) || catalogue.portsOf(node).some(({ id }) => id === portId),
    hasSubFlow: (node) => typeOf(node)?.hasSubFlow ?? false,
    isNote: (node) => typeOf(node)?.executes === false,
  };
  return catalogue;
}

/** The default values of a type's config. */
export function defaultsOf({ config }: Pick<NodeType, "config">): Record<string, unknown> {
  const { properties = {} } = config as { properties?: Record<string, JsonSchema> };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      schema.default === undefined ? [] : [[name, schema.default] as const],
    ),
  );
}
