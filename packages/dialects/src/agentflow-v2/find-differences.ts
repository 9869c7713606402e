import type { Finding, FlowDocument, FlowEdge, FlowNode } from "@weft/schema";

/**
 * Places of a graph where a run takes another way here than it did: joins that could wait for ever, and branches that
 * answer beside each other.
 */
export function findDifferences({ nodes, edges }: FlowDocument): Finding[] {
  const graph: Graph = {
    nodes: new Map(nodes.map((node) => [node.id, node])),
    incoming: Map.groupBy(edges, ({ target }) => target),
    outgoing: Map.groupBy(edges, ({ source }) => source),
  };
  const waiting = nodes.flatMap((node) => findWaiting(node, graph));
  const leaves = nodes.filter((node) => isLeaf(node, graph));
  if (leaves.length < 2) return waiting;
  const ends = new Map<string, string>();
  const endsOf = (id: string) => {
    const known = ends.get(id) ?? leavesOf(id, graph).join();
    ends.set(id, known);
    return known;
  };
  return [...waiting, ...nodes.flatMap((node) => findParallelAnswers(node, graph, endsOf))];
}

type Graph = {
  nodes: ReadonlyMap<string, FlowNode>;
  incoming: ReadonlyMap<string, FlowEdge[]>;
  outgoing: ReadonlyMap<string, FlowEdge[]>;
};

const decisions = new Set(["condition", "condition-agent", "human-input"]);

/** A join of branches of different decisions, or of one with what no decision leads to. */
function findWaiting(node: FlowNode, graph: Graph): Finding[] {
  const sources = graph.incoming.get(node.id) ?? [];
  const origins = new Set(sources.map(({ source }) => decisionAbove(source, graph)));
  if (origins.size < 2) return [];
  const message =
    "It runs once all branches that were taken have reached it. The original also waited for the other branches, so the flow could end without running it. Check that this is what you want.";
  return [toFinding(node, "join-waits-less", message)];
}

/** The nearest decision on the way up, along the first edge of each node; undefined when there is none. */
function decisionAbove(nodeId: string, { nodes, incoming }: Graph): string | undefined {
  const seen = new Set<string>();
  for (let id: string | undefined = nodeId; id !== undefined && !seen.has(id); id = incoming.get(id)?.[0]?.source) {
    if (decisions.has(nodes.get(id)?.type ?? "")) return id;
    seen.add(id);
  }
  return undefined;
}

/** A fork whose branches end in different nodes. Of a decision only the branches of one output run together. */
function findParallelAnswers(node: FlowNode, graph: Graph, endsOf: (id: string) => string): Finding[] {
  const forks = Map.groupBy(graph.outgoing.get(node.id) ?? [], ({ sourcePort }) => sourcePort);
  for (const edges of forks.values()) {
    if (edges.length < 2) continue;
    const ends = new Set(edges.map(({ target }) => endsOf(target)));
    if (ends.size < 2) continue;
    const message =
      "Its branches run in parallel and end in different nodes: the answer comes from a direct reply or, without one, from the branch that ends last. Join the branches if you want a different answer.";
    return [toFinding(node, "parallel-answers", message)];
  }
  return [];
}

function isLeaf({ id, type }: FlowNode, { outgoing }: Graph): boolean {
  return type !== "loop" && !outgoing.has(id);
}

function leavesOf(nodeId: string, graph: Graph): string[] {
  const seen = new Set<string>();
  const leaves: string[] = [];
  const open = [nodeId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const node = graph.nodes.get(id);
    if (node && isLeaf(node, graph)) leaves.push(id);
    for (const { target } of graph.outgoing.get(id) ?? []) open.push(target);
  }
  return leaves.toSorted();
}

function toFinding({ id, label }: FlowNode, code: string, message: string): Finding {
  return { level: "warning", code, nodeId: id, message: `Node "${label || id}": ${message}` };
}
