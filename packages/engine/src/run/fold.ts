import {
  citationNumber,
  defaultPort,
  errorPort,
  isJsonObject,
  type Json,
  type RunEvent,
  type RunEventOf,
  type Usage,
} from "@weft/schema";
import type { Graph, GraphNode } from "../flow/graph.ts";
import { type GraphLevel, reachableFrom } from "../flow/graph-level.ts";
import { toText } from "../template/index.ts";
import { isQuiet, levelOf } from "./readiness.ts";
import { usageIn } from "./run-budget.ts";
import {
  effectId,
  isMessage,
  itemPath,
  mayAnswer,
  type NodeRun,
  type RunState,
  type ScopeState,
  scopeOfKey,
  sourcesOf,
} from "./run-state.ts";

/** Folds one event into the state. Total: the same events over the same graph give the same state. */
export function applyEvent(state: RunState, graph: Graph, event: RunEvent): void {
  state.lastSeq = event.seq;
  switch (event.type) {
    case "run-started":
      state.started = event;
      openScope(state, graph, { path: "", parent: "", owner: null, item: null, loopCount: 0 });
      return;
    case "run-warned":
      state.warnings.push({ code: event.code, message: event.message });
      return;
    case "node-started":
      applyStart(state, event);
      return;
    case "effect-started":
    case "effect-finished":
      applyEffect(state, event);
      return;
    case "node-completed":
      applyCompletion(state, graph, event);
      closeWhenQuiet(graph, scopeOf(state, scopeOfKey(event.nodeKey)));
      return;
    case "node-spawned":
      applySpawn(state, graph, event);
      return;
    case "node-failed":
      applyFailure(state, graph, event);
      closeWhenQuiet(graph, scopeOf(state, scopeOfKey(event.nodeKey)));
      return;
    case "node-suspended":
    case "node-resumed":
      applyWait(state, event);
      return;
    case "run-suspended":
      state.pause = event.holds ? "held" : "answered";
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

/** Finds a node execution by key. An unknown key is a broken invariant. */
function findNode(state: RunState, nodeKey: string): NodeRun {
  const path = scopeOfKey(nodeKey);
  const node = state.scopes.get(path)?.nodes.get(nodeKey.slice(path.length, nodeKey.lastIndexOf("#")));
  if (node?.key === nodeKey) return node;
  throw new Error(`The run has no node execution ${nodeKey}.`);
}

type ScopeOpening = Pick<ScopeState, "path" | "parent" | "owner" | "item" | "loopCount">;

function openScope(state: RunState, graph: Graph, opening: ScopeOpening): void {
  const scope: ScopeState = { ...opening, nodes: new Map(), edges: new Map(), failure: null, result: null };
  const level = graph.levels.get(opening.parent);
  for (const nodeId of level?.nodeIds ?? []) scope.nodes.set(nodeId, newNodeRun(scope.path, nodeId));
  state.scopes.set(scope.path, scope);
  if (!level) return;
  for (const nodeId of level.nodeIds) {
    if (level.incoming.get(nodeId)?.length === 0 && !level.roots.includes(nodeId)) skip(scope, level, nodeId);
  }
}

function applyStart(state: RunState, event: RunEventOf<"node-started">): void {
  const node = findNode(state, event.nodeKey);
  state.steps += 1;
  node.phase = { type: "started", attempt: event.attempt };
  node.heard ??= state.messages.length;
  node.numberedTo ??= state.numberedTo;
}

function applyEffect(state: RunState, event: RunEvent & RunEventOf<"effect-started" | "effect-finished">): void {
  const id = effectId(event.nodeKey, event.effectKey);
  const record = state.effects.get(id);
  if (event.type === "effect-started") {
    const { phase } = findNode(state, event.nodeKey);
    const attempt = "attempt" in phase ? phase.attempt : 1;
    const retries = record?.attempt === attempt ? record.retries : 0;
    const { kind, category, seq } = event;
    if ((category === "model" || category === "tool") && !isRepeated(state, seq)) state.calls[category] += 1;
    const model = category === "model" ? event.name : undefined;
    state.effects.set(id, { kind, category, seq, attempt, retries, pause: null, outcome: null, model });
    return;
  }
  if (!record) return;
  if (event.retryAfterMs !== undefined) {
    record.retries += 1;
    record.pause = { until: event.at + event.retryAfterMs, ms: event.retryAfterMs };
    return;
  }
  record.outcome = event.outcome;
  if (event.outcome.ok && record.model !== undefined && !isRepeated(state, event.seq)) {
    addUsage(state, record.model, event.outcome.value);
  }
}

/** Happened in the run that this one continues from. */
function isRepeated({ started }: RunState, seq: number): boolean {
  return seq <= 1 + (started?.repeats ?? 0);
}

/** Sums the usage reported by model answers. Other effects return foreign data that may only look like usage. */
function addUsage(state: RunState, model: string, value: Json): void {
  if (!isJsonObject(value) || !isJsonObject(value.usage)) return;
  const used = usageIn(value);
  state.usage = sumOf(state.usage, used);
  state.usageByModel.set(model, sumOf(state.usageByModel.get(model) ?? noUsage, used));
}

const noUsage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

function sumOf(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}

function applyCompletion(state: RunState, graph: Graph, event: RunEventOf<"node-completed">): void {
  const node = findNode(state, event.nodeKey);
  const scope = scopeOf(state, node.scope);
  if (node.phase.type === "spawned") closeItems(state, graph, node, node.phase.items.length);
  node.phase = { type: "completed" };
  const text = event.text ?? toText(event.output);
  state.outputs.set(scope.path + node.nodeId, { output: event.output, text: event.text ?? event.output });
  if (event.state) Object.assign(state.flowState, event.state);
  state.numberedTo = Math.max(state.numberedTo, ...sourcesOf(event.output).map((one) => citationNumber(one) ?? 0));
  for (const message of event.messages ?? []) state.messages.push({ scope: scope.path, message });
  const level = levelOf(graph, scope);
  if (event.jumpTo !== undefined) {
    jump(scope, level, node, event.jumpTo);
    return;
  }
  const ports = event.ports ?? [defaultPort];
  settle(scope, level, node.nodeId, ports);
  const definition = graph.nodes.get(node.nodeId);
  if (!definition) return;
  if (isMessage(definition)) state.said.push({ nodeKey: node.key, text });
  const goesOn = level.outgoing.get(node.nodeId)?.some((edge) => ports.includes(edge.sourcePort));
  if (goesOn || definition.type.answers === "never") return;
  scope.result = event.json ?? event.text ?? event.output;
  if (scope.path === "" && mayAnswer(definition)) takeAnswer(state, definition, { ...event, text });
}

/** The last of several leaves answers; a reply takes precedence. */
function takeAnswer(
  state: RunState,
  { type }: GraphNode,
  { nodeKey, text, json }: Pick<RunEventOf<"node-completed">, "nodeKey" | "json"> & { text: string },
): void {
  const isReply = type.answers === "reply";
  if (state.answer?.isReply && !isReply) return;
  state.answer = { nodeKey, text, isReply, ...(json === undefined ? {} : { json }) };
}

function applySpawn(state: RunState, graph: Graph, event: RunEventOf<"node-spawned">): void {
  const node = findNode(state, event.nodeKey);
  const attempt = node.phase.type === "started" ? node.phase.attempt : 1;
  const { items, concurrency, toleratesFailures = false } = event;
  const open = new Set(items.keys());
  node.phase = { type: "spawned", attempt, items, concurrency, toleratesFailures, open, failure: null };
  const { loopCount } = scopeOf(state, node.scope);
  for (const [index, value] of items.entries()) {
    const path = itemPath(node, index);
    openScope(state, graph, { path, parent: node.nodeId, owner: node, item: { index, value }, loopCount });
    closeWhenQuiet(graph, scopeOf(state, path));
  }
}

/** Closes a scope in its sub-flow once nothing can happen in it any more. */
function closeWhenQuiet(graph: Graph, scope: ScopeState): void {
  const phase = scope.owner?.phase;
  if (phase?.type !== "spawned" || scope.item === null || !isQuiet(graph, scope)) return;
  phase.open.delete(scope.item.index);
  if (!phase.toleratesFailures) phase.failure ??= scope.failure;
}

/** Drops the items of a finished sub-flow. From outside, its nodes read as in the last item. */
function closeItems(state: RunState, graph: Graph, node: NodeRun, count: number): void {
  const inner = membersOf(graph, node.nodeId);
  for (let index = 0; index < count; index += 1) {
    const path = itemPath(node, index);
    state.scopes.delete(path);
    for (const nodeId of inner) {
      const output = state.outputs.get(path + nodeId);
      if (output && index === count - 1) state.outputs.set(node.scope + nodeId, output);
      state.outputs.delete(path + nodeId);
    }
  }
}

/** The nodes of a node's sub-flow, including nested ones. */
function membersOf(graph: Graph, nodeId: string): string[] {
  const members = [...(graph.levels.get(nodeId)?.nodeIds ?? [])];
  for (const member of members) members.push(...(graph.levels.get(member)?.nodeIds ?? []));
  return members;
}

function applyFailure(state: RunState, graph: Graph, event: RunEventOf<"node-failed">): void {
  const node = findNode(state, event.nodeKey);
  const scope = scopeOf(state, node.scope);
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

function applyWait(state: RunState, event: RunEventOf<"node-suspended" | "node-resumed"> & { seq: number }): void {
  const node = findNode(state, event.nodeKey);
  const attempt = "attempt" in node.phase ? node.phase.attempt : 1;
  state.hasWaited = true;
  if (event.type === "node-suspended") {
    state.hasTimer ||= event.wait.until !== undefined;
    node.phase = { type: "waiting", attempt, wait: event.wait, seq: event.seq };
    return;
  }
  if (node.phase.type !== "waiting" || node.phase.wait.waitId !== event.waitId) return;
  if (state.pause === "answered") {
    state.isUnattended = event.resumedBy !== undefined;
    state.said = [];
  }
  state.pause = null;
  const { key } = node.phase.wait;
  if (key !== undefined) node.answers.set(key, event.answer);
  node.phase = { type: "started", attempt, answer: event.answer };
}

function scopeOf(state: RunState, path: string): ScopeState {
  const scope = state.scopes.get(path);
  if (!scope) throw new Error(`The run has no scope ${path}.`);
  return scope;
}

function newNodeRun(scope: string, nodeId: string, later: Partial<NodeRun> = {}): NodeRun {
  const { pass = 0, forced = false, jumps = null } = later;
  const key = `${scope}${nodeId}#${pass}`;
  return {
    nodeId,
    scope,
    key,
    pass,
    forced,
    jumps,
    answers: new Map(),
    heard: null,
    numberedTo: null,
    phase: { type: "idle" },
  };
}

/** Delivers the edges of the taken ports, kills the others, and skips every node that has become unreachable. */
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

/** Skips a node and everything reachable only through it. Iterative: a dead branch may be as long as a flow. */
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

/**
 * Starts a new pass at the target: nodes reachable from it run again, others keep their deliveries. Loops inside the
 * pass, whose own target comes after this one, start counting again.
 */
function jump(scope: ScopeState, level: GraphLevel, from: NodeRun, target: string): void {
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
