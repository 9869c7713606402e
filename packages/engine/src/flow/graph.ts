import type { Flow, FlowEdge } from "@weft/schema";
import type { NodeConfig, NodeType } from "../node-type.ts";

/** A node with its type and its parsed config. */
export type GraphNode = {
  readonly id: string;
  readonly label: string;
  readonly parent: string | null;
  readonly type: NodeType;
  readonly config: NodeConfig;
};

/** The nodes and edges of one level: the top, or the sub-flow of one parent. */
export type GraphLevel = {
  readonly nodeIds: readonly string[];
  /** Nodes that may run without a delivery: the start node at the top, every node without incoming edges below. */
  readonly roots: readonly string[];
  readonly incoming: ReadonlyMap<string, readonly FlowEdge[]>;
  readonly outgoing: ReadonlyMap<string, readonly FlowEdge[]>;
};

/** What the scheduler walks. Immutable; shared by all runs of one flow version. */
export type Graph = {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** By parent id; the top is the empty string. */
  readonly levels: ReadonlyMap<string, GraphLevel>;
};

/** Builds the graph of the executing nodes. Edges to anything else, or across levels, are left out. */
export function buildGraph(flow: Flow, nodes: ReadonlyMap<string, GraphNode>): Graph {
  const members = Map.groupBy(nodes.values(), (node) => node.parent ?? "");
  const edges = Map.groupBy(flow.edges, (edge) => nodes.get(edge.source)?.parent ?? "");
  const levels = new Map<string, GraphLevel>();
  for (const parent of new Set(["", ...members.keys()])) {
    const executing = (members.get(parent) ?? []).filter((node) => node.type.executes);
    levels.set(parent, buildLevel(executing, edges.get(parent) ?? [], parent === ""));
  }
  return { nodes, levels };
}

function buildLevel(members: readonly GraphNode[], edges: readonly FlowEdge[], isTop: boolean): GraphLevel {
  const ids = new Set(members.map((node) => node.id));
  const incoming = new Map<string, FlowEdge[]>(members.map((node) => [node.id, []]));
  const outgoing = new Map<string, FlowEdge[]>(members.map((node) => [node.id, []]));
  for (const edge of edges) {
    if (!ids.has(edge.source) || !ids.has(edge.target)) continue;
    incoming.get(edge.target)?.push(edge);
    outgoing.get(edge.source)?.push(edge);
  }
  const sources = members.filter((node) => incoming.get(node.id)?.length === 0);
  const roots = isTop ? sources.filter((node) => node.type.group === "start") : sources;
  return { nodeIds: [...ids], roots: roots.map((node) => node.id), incoming, outgoing };
}

/** The nodes of a level that can be reached from one of them, itself included. */
export function reachableFrom(level: GraphLevel, nodeId: string): Set<string> {
  const reached = new Set<string>();
  const open = [nodeId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const edge of level.outgoing.get(id) ?? []) open.push(edge.target);
  }
  return reached;
}

/** A node of a level that lies on a cycle of edges, if there is one. */
export function findCycle(level: GraphLevel): string | undefined {
  const left = withoutSources(level);
  const walked = new Set<string>();
  // Every node that is left has a predecessor that is left: walking back must come round.
  for (let id = left.keys().next().value; id !== undefined; ) {
    if (walked.has(id)) return id;
    walked.add(id);
    id = level.incoming.get(id)?.find((edge) => left.has(edge.source))?.source;
  }
  return undefined;
}

/** What is left of a level when nodes without incoming edges are taken away until there are none. */
function withoutSources(level: GraphLevel): ReadonlyMap<string, number> {
  const open = new Map(level.nodeIds.map((id) => [id, level.incoming.get(id)?.length ?? 0]));
  const ready = level.nodeIds.filter((id) => open.get(id) === 0);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    open.delete(id);
    for (const edge of level.outgoing.get(id) ?? []) {
      const left = (open.get(edge.target) ?? 0) - 1;
      open.set(edge.target, left);
      if (left === 0) ready.push(edge.target);
    }
  }
  return open;
}
