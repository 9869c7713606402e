import type { Json, NodeKey, RunEventOf, Wait } from "@weft/schema";
import type { Graph } from "../flow/graph.ts";
import type { GraphLevel } from "../flow/graph-level.ts";
import type { WaitEnd } from "../node-type.ts";
import { itemPath, type NodeRun, type RunState, type ScopeState } from "./run-state.ts";

export function levelOf(graph: Graph, scope: ScopeState): GraphLevel {
  const level = graph.levels.get(scope.parent);
  if (!level) throw new Error(`The flow has no level ${scope.parent}.`);
  return level;
}

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

export function itemScopes(state: RunState, node: NodeRun, indexes: Iterable<number>): ScopeState[] {
  return [...indexes].flatMap((index) => state.scopes.get(itemPath(node, index)) ?? []);
}

/** Whether a scope is still relevant: the executions that spawned it, up to the top, wait for their items. */
export function isAttached(state: RunState, { owner }: ScopeState): boolean {
  if (owner === null) return true;
  const around = state.scopes.get(owner.scope);
  const isCurrent = around?.nodes.get(owner.nodeId) === owner && owner.phase.type === "spawned";
  return isCurrent && isAttached(state, around);
}

export type OpenWait = { readonly nodeKey: NodeKey; readonly wait: Wait };

/** The run's open waits, in the order asked. Waits left behind by a failure, a loop or the end do not count. */
export function openWaits(state: RunState): OpenWait[] {
  const waits: (OpenWait & { seq: number })[] = [];
  const top = state.scopes.get("");
  const open = top && state.end === null ? [top] : [];
  for (const scope of open) {
    for (const node of scope.nodes.values()) {
      const { phase, key } = node;
      if (phase.type === "waiting") waits.push({ nodeKey: key, wait: phase.wait, seq: phase.seq });
      if (phase.type === "spawned") open.push(...itemScopes(state, node, phase.open));
    }
  }
  return waits.sort((a, b) => a.seq - b.seq).map(({ nodeKey, wait }) => ({ nodeKey, wait }));
}

/** The event that ends a wait at its deadline. */
export function endByTime({ nodeKey, wait }: OpenWait): RunEventOf<"node-resumed"> {
  const end: WaitEnd = { resumedBy: "time", at: wait.until ?? 0 };
  return { type: "node-resumed", nodeKey, nodeId: wait.nodeId, waitId: wait.waitId, answer: end, resumedBy: "time" };
}

/** The event that ends a wait with the signal that it names. */
export function endBySignal({ nodeKey, wait }: OpenWait, payload: Json, at: number): RunEventOf<"node-resumed"> {
  const end: WaitEnd = { resumedBy: "signal", at, signal: wait.signal ?? "", payload };
  return { type: "node-resumed", nodeKey, nodeId: wait.nodeId, waitId: wait.waitId, answer: end, resumedBy: "signal" };
}

/** The open waits that are due, earliest first. */
export function dueWaits(state: RunState, now: number): OpenWait[] {
  return timedWaits(state)
    .filter(({ until }) => until <= now)
    .map(({ open }) => open);
}

/** The questions to humans, in the order asked. */
export function openQuestions(state: RunState): OpenWait[] {
  return openWaits(state).filter(({ wait }) => wait.asks !== false);
}

/** When the first of its waits is due; undefined if none has a moment. */
export function nextDueAt(state: RunState): number | undefined {
  return timedWaits(state)[0]?.until;
}

function timedWaits(state: RunState): { until: number; open: OpenWait }[] {
  if (!state.hasTimer) return [];
  return openWaits(state)
    .flatMap((open) => (open.wait.until === undefined ? [] : [{ until: open.wait.until, open }]))
    .sort((a, b) => a.until - b.until);
}
