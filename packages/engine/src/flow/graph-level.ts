import { errorPort, type FlowEdge } from "@weft/schema";

export type GraphLevel = {
  readonly nodeIds: readonly string[];
  /** Nodes that may run without a delivery: the start node at the top; below it, every node without incoming edges. */
  readonly roots: readonly string[];
  readonly incoming: ReadonlyMap<string, readonly FlowEdge[]>;
  readonly outgoing: ReadonlyMap<string, readonly FlowEdge[]>;
  /** Nodes that nothing follows except on failure; each with itself and everything reachable only through it. */
  readonly leaves: ReadonlyMap<string, ReadonlySet<string>>;
};

type Edges = Pick<GraphLevel, "incoming" | "outgoing">;

export function findLeaves(nodeIds: readonly string[], edges: Edges): GraphLevel["leaves"] {
  const isLeaf = (id: string) => edges.outgoing.get(id)?.every((edge) => edge.sourcePort === errorPort);
  return new Map(nodeIds.filter(isLeaf).map((id) => [id, onlyBehind(edges, id)]));
}

function onlyBehind(edges: Edges, nodeId: string): ReadonlySet<string> {
  const reached = reachableFrom(edges, nodeId);
  const isOwn = [...reached].every(
    (id) => id === nodeId || edges.incoming.get(id)?.every((edge) => reached.has(edge.source)),
  );
  return isOwn ? reached : new Set([nodeId]);
}

/** The nodes of a level reachable from one of them, itself included. */
export function reachableFrom({ outgoing }: Edges, nodeId: string): Set<string> {
  const reached = new Set<string>();
  const open = [nodeId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const edge of outgoing.get(id) ?? []) open.push(edge.target);
  }
  return reached;
}

export function findCycle(level: GraphLevel): string | undefined {
  const left = withoutSources(level);
  const walked = new Set<string>();
  // Every remaining node has a remaining predecessor, so walking back must close a cycle.
  for (let id = left.keys().next().value; id !== undefined; ) {
    if (walked.has(id)) return id;
    walked.add(id);
    id = level.incoming.get(id)?.find((edge) => left.has(edge.source))?.source;
  }
  return undefined;
}

/** The nodes that remain after repeatedly removing those without incoming edges. */
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
