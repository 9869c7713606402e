import { defaultPort, errorPort, type Json, type RunEvent, type RunEventOf } from "@weft/schema";
import { type Graph, type GraphLevel, reachableFrom } from "../flow/graph.ts";
import { toText } from "../template/render-template.ts";
import { effectId, type NodeRun, type RunState, type ScopeState, scopeOfKey } from "./run-state.ts";

/** Takes one event into the state. Total: the same events over the same graph give the same state. */
export function applyEvent(state: RunState, graph: Graph, event: RunEvent): void {
  state.lastSeq = event.seq;
  switch (event.type) {
    case "run-started":
      state.started = event;
      openScope(state, graph, { path: "", parent: "", item: null });
      return;
    case "run-warned":
      state.warnings.push({ code: event.code, message: event.message });
      return;
    case "node-started":
      state.steps += 1;
      findNode(state, event.nodeKey).phase = { type: "started", attempt: event.attempt };
      return;
    case "effect-started":
    case "effect-finished":
      applyEffect(state, event);
      return;
    case "node-completed":
      applyCompletion(state, graph, event);
      return;
    case "node-spawned":
      applySpawn(state, graph, event);
      return;
    case "node-failed":
      applyFailure(state, graph, event);
      return;
    case "node-suspended":
    case "node-resumed":
      applyWait(state, event);
      return;
    case "run-suspended":
      return;
    case "run-completed":
      state.end = "completed";
      return;
    case "run-failed":
      state.end = "failed";
      return;
    case "run-cancelled":
      state.end = "cancelled";
      return;
  }
}

/** The node execution of that key. A key that the state does not hold is a broken invariant. */
export function findNode(state: RunState, nodeKey: string): NodeRun {
  const path = scopeOfKey(nodeKey);
  const node = state.scopes.get(path)?.nodes.get(nodeKey.slice(path.length, nodeKey.lastIndexOf("#")));
  if (node?.key === nodeKey) return node;
  throw new Error(`The run has no node execution ${nodeKey}.`);
}

export function levelOf(graph: Graph, scope: ScopeState): GraphLevel {
  const level = graph.levels.get(scope.parent);
  if (!level) throw new Error(`The flow has no level ${scope.parent}.`);
  return level;
}

function openScope(state: RunState, graph: Graph, opening: Pick<ScopeState, "path" | "parent" | "item">): void {
  const scope: ScopeState = { ...opening, nodes: new Map(), edges: new Map(), failure: null, result: null };
  const level = graph.levels.get(opening.parent);
  for (const nodeId of level?.nodeIds ?? []) scope.nodes.set(nodeId, newNodeRun(scope.path, nodeId, 0, false));
  state.scopes.set(scope.path, scope);
  if (!level) return;
  for (const nodeId of level.nodeIds) {
    if (level.incoming.get(nodeId)?.length === 0 && !level.roots.includes(nodeId)) skip(scope, level, nodeId);
  }
}

function newNodeRun(scope: string, nodeId: string, pass: number, forced: boolean): NodeRun {
  return { nodeId, scope, key: `${scope}${nodeId}#${pass}`, pass, forced, phase: { type: "idle" } };
}

function applyEffect(state: RunState, event: RunEventOf<"effect-started" | "effect-finished"> & { seq: number }): void {
  const id = effectId(event.nodeKey, event.effectKey);
  if (event.type === "effect-started") {
    state.effects.set(id, { ...effectFacts(event), outcome: null });
    return;
  }
  const record = state.effects.get(id);
  if (!record) return;
  record.outcome = event.outcome;
  if (event.outcome.ok && record.category === "model") addUsage(state, event.outcome.value);
}

function effectFacts({ kind, category, attempt, seq }: RunEventOf<"effect-started"> & { seq: number }) {
  return { kind, category, attempt, seq };
}

/** Sums what model answers report. Data of any other effect is not ours and may only look like it. */
function addUsage(state: RunState, value: Json): void {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return;
  const usage = value.usage;
  if (usage === null || typeof usage !== "object" || Array.isArray(usage)) return;
  state.usage = {
    inputTokens: state.usage.inputTokens + Number(usage.inputTokens ?? 0),
    outputTokens: state.usage.outputTokens + Number(usage.outputTokens ?? 0),
    totalTokens: state.usage.totalTokens + Number(usage.totalTokens ?? 0),
  };
}

function applyCompletion(state: RunState, graph: Graph, event: RunEventOf<"node-completed">): void {
  const node = findNode(state, event.nodeKey);
  const scope = scopeOf(state, node);
  node.phase = { type: "completed" };
  const text = event.text ?? toText(event.output);
  state.outputs.set(scope.path + node.nodeId, { output: event.output, text: event.text ?? event.output });
  if (event.state) Object.assign(state.flowState, event.state);
  if (event.messages) state.messages.push(...event.messages);
  const level = levelOf(graph, scope);
  if (event.jumpTo !== undefined) {
    state.loopCount += 1;
    jump(scope, level, event.jumpTo);
    return;
  }
  settle(scope, level, node.nodeId, event.ports ?? [defaultPort]);
  const isLeaf = level.outgoing.get(node.nodeId)?.length === 0;
  if (!isLeaf) return;
  scope.result = event.text ?? event.output;
  const type = graph.nodes.get(node.nodeId)?.type;
  if (scope.path !== "" || type?.answers === "never") return;
  const isReply = type?.answers === "reply";
  if (state.answer?.isReply && !isReply) return;
  state.answer = { nodeKey: node.key, text, isReply, ...(event.json === undefined ? {} : { json: event.json }) };
}

function applySpawn(state: RunState, graph: Graph, event: RunEventOf<"node-spawned">): void {
  const node = findNode(state, event.nodeKey);
  const attempt = node.phase.type === "started" ? node.phase.attempt : 1;
  node.phase = { type: "spawned", attempt, items: event.items, concurrency: event.concurrency };
  for (const [index, value] of event.items.entries()) {
    openScope(state, graph, { path: `${event.nodeKey}[${index}]/`, parent: node.nodeId, item: { index, value } });
  }
}

function applyFailure(state: RunState, graph: Graph, event: RunEventOf<"node-failed">): void {
  const node = findNode(state, event.nodeKey);
  const scope = scopeOf(state, node);
  if (event.next.type === "retry") {
    node.phase = { type: "retrying", attempt: event.attempt + 1, at: event.next.at };
    return;
  }
  node.phase = { type: "failed", error: event.error };
  if (event.next.type === "stop") {
    scope.failure = event.error;
    return;
  }
  const output = { error: { code: event.error.code, message: event.error.message } };
  state.outputs.set(scope.path + node.nodeId, { output, text: event.error.message });
  settle(scope, levelOf(graph, scope), node.nodeId, [errorPort]);
}

function applyWait(state: RunState, event: RunEventOf<"node-suspended" | "node-resumed">): void {
  const node = findNode(state, event.nodeKey);
  const attempt = "attempt" in node.phase ? node.phase.attempt : 1;
  node.phase =
    event.type === "node-suspended"
      ? { type: "waiting", attempt, wait: event.wait }
      : { type: "started", attempt, answer: event.answer };
}

function scopeOf(state: RunState, node: NodeRun): ScopeState {
  const scope = state.scopes.get(node.scope);
  if (!scope) throw new Error(`The run has no scope ${node.scope}.`);
  return scope;
}

/** Delivers the edges of the taken ports, kills the others, and skips every node that can no longer be reached. */
function settle(scope: ScopeState, level: GraphLevel, nodeId: string, ports: readonly string[]): void {
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
function skip(scope: ScopeState, level: GraphLevel, nodeId: string): void {
  const dead = [nodeId];
  for (let id = dead.pop(); id !== undefined; id = dead.pop()) {
    const node = scope.nodes.get(id);
    if (node) node.phase = { type: "skipped" };
    const edges = level.outgoing.get(id) ?? [];
    for (const edge of edges) scope.edges.set(edge.id, "dead");
    dead.push(...edges.map((edge) => edge.target).filter((target) => isDead(scope, level, target)));
  }
}

/** Begins a new pass at the target: what it reaches runs again, what it does not reach keeps its deliveries. */
function jump(scope: ScopeState, level: GraphLevel, target: string): void {
  const again = reachableFrom(level, target);
  for (const nodeId of again) {
    const pass = (scope.nodes.get(nodeId)?.pass ?? 0) + 1;
    scope.nodes.set(nodeId, newNodeRun(scope.path, nodeId, pass, nodeId === target));
    for (const edge of level.outgoing.get(nodeId) ?? []) scope.edges.delete(edge.id);
  }
}
