import type { Flow, FlowEdge } from "@weft/schema";
import type { NodeConfig } from "../node-config.ts";
import type { NodeType } from "../node-type.ts";
import { findLeaves, type GraphLevel } from "./graph-level.ts";

export type GraphNode = {
  readonly id: string;
  readonly label: string;
  readonly parent: string | null;
  readonly type: NodeType;
  readonly config: NodeConfig;
};

/** The graph that the scheduler walks. Immutable; shared by all runs of one flow version. */
export type Graph = {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** By parent id; the empty string is the top. */
  readonly levels: ReadonlyMap<string, GraphLevel>;
};

/** Builds the graph of the executable nodes. Edges to anything else, or across levels, are left out. */
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
  const nodeIds = [...ids];
  const leaves = findLeaves(nodeIds, { incoming, outgoing });
  return { nodeIds, roots: roots.map((node) => node.id), incoming, outgoing, leaves };
}
