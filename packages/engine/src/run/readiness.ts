import type { Graph } from "../flow/graph.ts";
import { levelOf } from "./fold.ts";
import type { NodeRun, RunState, ScopeState } from "./run-state.ts";

/** Whether a node may start (E2): every incoming edge is settled and one of them delivered, or a jump ended here. */
export function isReady(graph: Graph, scope: ScopeState, node: NodeRun): boolean {
  if (node.phase.type !== "idle") return false;
  if (node.forced) return true;
  const level = levelOf(graph, scope);
  const edges = level.incoming.get(node.nodeId) ?? [];
  if (edges.length === 0) return level.roots.includes(node.nodeId);
  return (
    edges.every((edge) => scope.edges.has(edge.id)) && edges.some((edge) => scope.edges.get(edge.id) === "delivered")
  );
}

/** Whether nothing in a scope runs, waits or can start any more. */
export function isQuiet(graph: Graph, scope: ScopeState): boolean {
  if (scope.failure) return true;
  for (const node of scope.nodes.values()) {
    const { type } = node.phase;
    if (type === "started" || type === "retrying" || type === "waiting" || type === "spawned") return false;
    if (isReady(graph, scope, node)) return false;
  }
  return true;
}

/** Scopes of the items of a spawned node, in order. */
export function itemScopes(state: RunState, node: NodeRun): ScopeState[] {
  if (node.phase.type !== "spawned") return [];
  return node.phase.items.flatMap((_item, index) => state.scopes.get(`${node.key}[${index}]/`) ?? []);
}
