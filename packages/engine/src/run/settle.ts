import { type GraphLevel, reachableFrom } from "../flow/graph-level.ts";
import type { NodeRun, ScopeState } from "./run-state.ts";

/** A node execution that has not begun. */
export function newNodeRun(scope: string, nodeId: string, later: Partial<NodeRun> = {}): NodeRun {
  const { pass = 0, forced = false, jumps = null } = later;
  const key = `${scope}${nodeId}#${pass}`;
  return { nodeId, scope, key, pass, forced, jumps, answers: new Map(), heard: null, phase: { type: "idle" } };
}

/** Delivers the edges of the taken ports, kills the others, and skips every node that can no longer be reached. */
export function settle(scope: ScopeState, level: GraphLevel, nodeId: string, ports: readonly string[]): void {
  for (const edge of level.outgoing.get(nodeId) ?? []) {
    scope.edges.set(edge.id, ports.includes(edge.sourcePort) ? "delivered" : "dead");
  }
  for (const edge of level.outgoing.get(nodeId) ?? []) {
    if (isDead(scope, level, edge.target)) skip(scope, level, edge.target);
  }
}

function isDead(scope: ScopeState, level: GraphLevel, nodeId: string): boolean {
  const node = scope.nodes.get(nodeId);
  if (node?.phase.type !== "idle" || node.forced) return false;
  return level.incoming.get(nodeId)?.every((edge) => scope.edges.get(edge.id) === "dead") ?? true;
}

/** Skips a node and all that only it could reach. A worklist: a dead branch may be as long as a flow. */
export function skip(scope: ScopeState, level: GraphLevel, nodeId: string): void {
  const dead = [nodeId];
  for (let id = dead.pop(); id !== undefined; id = dead.pop()) {
    const node = scope.nodes.get(id);
    if (node) node.phase = { type: "skipped" };
    const edges = level.outgoing.get(id) ?? [];
    for (const edge of edges) scope.edges.set(edge.id, "dead");
    dead.push(...edges.map((edge) => edge.target).filter((target) => isDead(scope, level, target)));
  }
}

/**
 * Begins a new pass at the target: what it reaches runs again, what it does not reach keeps its deliveries. Loops that
 * lie within the pass count anew: those whose own target comes after this one.
 */
export function jump(scope: ScopeState, level: GraphLevel, from: NodeRun, target: string): void {
  from.jumps = { to: target, count: from.jumps?.to === target ? from.jumps.count + 1 : 1 };
  scope.loopCount = from.jumps.count;
  const again = reachableFrom(level, target);
  for (const nodeId of again) {
    const { pass = 0, jumps = null } = scope.nodes.get(nodeId) ?? {};
    const isWithin = jumps !== null && jumps.to !== target && again.has(jumps.to);
    const next = { pass: pass + 1, forced: nodeId === target, jumps: isWithin ? null : jumps };
    scope.nodes.set(nodeId, newNodeRun(scope.path, nodeId, next));
    for (const edge of level.outgoing.get(nodeId) ?? []) scope.edges.delete(edge.id);
  }
}
