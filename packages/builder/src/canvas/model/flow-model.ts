import type { FlowDocument, FlowEdge, FlowNode } from "@weft/schema";

/** A flow being edited. Immutable: nodes and edges can be compared by identity. */
export type FlowModel = {
  readonly nodes: ReadonlyMap<string, FlowNode>;
  readonly edges: ReadonlyMap<string, FlowEdge>;
};

export const emptyModel: FlowModel = { nodes: new Map(), edges: new Map() };

export function toModel({ nodes, edges }: Pick<FlowDocument, "nodes" | "edges">): FlowModel {
  return {
    nodes: new Map(nodes.map((node) => [node.id, node])),
    edges: new Map(edges.map((edge) => [edge.id, edge])),
  };
}

/** The stored form. Parents come before their children. */
export function toDocument({ nodes, edges }: FlowModel, viewport?: FlowDocument["viewport"]): FlowDocument {
  return { weft: 1, nodes: parentsFirst(nodes), edges: [...edges.values()], ...(viewport ? { viewport } : {}) };
}

/** All nodes, each after its parent. */
export function parentsFirst(nodes: ReadonlyMap<string, FlowNode>): FlowNode[] {
  return [...nodes.values()]
    .map((node) => ({ node, depth: depthOf(nodes, node) }))
    .toSorted((a, b) => a.depth - b.depth)
    .map(({ node }) => node);
}

export function labelsOf({ nodes }: FlowModel): string[] {
  return [...nodes.values()].map(({ label }) => label);
}

export function childrenOf({ nodes }: FlowModel, parentId: string): FlowNode[] {
  return [...nodes.values()].filter(({ parent }) => parent === parentId);
}

/** The ids and those of all their descendants. */
export function withDescendants({ nodes }: FlowModel, ids: Iterable<string>): Set<string> {
  const found = new Set(ids);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { id, parent } of nodes.values()) if (parent !== undefined && found.has(parent)) found.add(id);
  }
  return found;
}

function depthOf(nodes: ReadonlyMap<string, FlowNode>, { parent }: FlowNode): number {
  let depth = 0;
  const seen = new Set<string>();
  for (let id = parent; id !== undefined && !seen.has(id); id = nodes.get(id)?.parent) {
    seen.add(id);
    depth += 1;
  }
  return depth;
}
