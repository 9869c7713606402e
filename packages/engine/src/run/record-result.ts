import {
  defaultPort,
  errorPort,
  isJsonObject,
  type Json,
  type JsonObject,
  type Pin,
  parseJson,
  type RunError,
  WeftError,
} from "@weft/schema";
import { toRunError } from "../errors.ts";
import type { GraphNode } from "../flow/graph.ts";
import type { FailurePolicy } from "../node-config.ts";
import type { Completion, NodeResult, Suspension } from "../node-type.ts";
import { renderTemplate, type TemplateScope } from "../template/index.ts";
import { levelOf } from "./readiness.ts";
import type { RunContext } from "./run-context.ts";
import type { NodeRun } from "./run-state.ts";
import { createTemplateScope } from "./template-values.ts";

export type Execution = { node: GraphNode; nodeRun: NodeRun; attempt: number };

/** Records a node's result. The execution must be current. */
export function recordResult(run: RunContext, execution: Execution, result: NodeResult): void {
  switch (result.type) {
    case "failed":
      recordFailure(run, execution, { error: result.error });
      return;
    case "suspend":
      recordWait(run, execution, result);
      return;
    case "spawn":
      recordSpawn(run, execution, result);
      return;
    case "completed":
      recordCompletion(run, execution, result);
      return;
    case "branch":
      recordCompletion(run, execution, result, { ports: result.ports });
      warnOfDeadEnd(run, execution, result.ports);
      return;
    case "jump":
      recordJump(run, execution, result);
      return;
  }
}

/** Records a failure and its consequence: another attempt, the error port, or the end of the node's level. */
export function recordFailure(
  run: RunContext,
  { node, nodeRun, attempt }: Execution,
  { error, isFinal = false }: { error: RunError; isFinal?: boolean },
): void {
  const policy = node.config.onFailure;
  const facts = { type: "node-failed", nodeKey: nodeRun.key, nodeId: node.id, error, attempt } as const;
  // The spawned items have already run: a fresh attempt would run them again.
  const mayRetry = error.retryable && !isFinal && nodeRun.phase.type !== "spawned";
  if (policy && mayRetry && attempt <= (policy.retries ?? 0)) {
    const at = run.clock.now() + retryDelayMs(policy, attempt, error);
    run.journal.record({ ...facts, next: { type: "retry", at } });
    return;
  }
  const hasErrorPort = edgesFrom(run, nodeRun).some((edge) => edge.sourcePort === errorPort);
  run.journal.record({ ...facts, next: { type: hasErrorPort ? "error-port" : "stop" } });
}

/** A run that another run waits for has nobody to ask. */
function recordWait(run: RunContext, execution: Execution, { type: _type, ...asked }: Suspension): void {
  const { node, nodeRun } = execution;
  if (run.info.depth > 0 && (asked.asks !== false || asked.until === undefined)) {
    const error = new WeftError("flow-child-waits", { params: { label: node.label } });
    recordFailure(run, execution, { error: toRunError(error) });
    return;
  }
  const wait = { waitId: run.ids.uuid(), nodeId: node.id, ...asked };
  run.journal.record({ type: "node-suspended", nodeKey: nodeRun.key, nodeId: node.id, wait });
}

function recordSpawn(run: RunContext, { nodeRun }: Execution, result: NodeResult & { type: "spawn" }): void {
  const { maxSteps } = run.limits;
  if (result.items.length > maxSteps) {
    const message = `${result.items.length} items need more than ${maxSteps} steps, the most that this agent's budget allows.`;
    run.abort(new WeftError("budget-steps", { message }));
    return;
  }
  const { type: _type, ...spawned } = result;
  run.journal.record({ type: "node-spawned", nodeKey: nodeRun.key, ...spawned });
}

function recordJump(run: RunContext, execution: Execution, result: NodeResult & { type: "jump" }): void {
  const { node, nodeRun } = execution;
  const scope = run.state.scopes.get(nodeRun.scope);
  if (scope?.nodes.has(result.to)) {
    recordCompletion(run, execution, result, { jumpTo: result.to });
    return;
  }
  const reason = `${node.label} goes back to "${result.to}", which is not a step at the same level.`;
  recordFailure(run, execution, { error: toRunError(new WeftError("flow-node-failed", { params: { reason } })) });
}

function recordCompletion(
  run: RunContext,
  execution: Execution,
  completion: Completion,
  way: { ports?: string[]; jumpTo?: string } = {},
): void {
  const { node, nodeRun } = execution;
  const { output, text, json, messages } = completion;
  const state = stateAfter(run, execution, completion);
  run.journal.record({
    type: "node-completed",
    nodeKey: nodeRun.key,
    nodeId: node.id,
    output,
    ...(text === undefined ? {} : { text }),
    ...(json === undefined ? {} : { json }),
    ...(state === undefined ? {} : { state }),
    ...(messages === undefined ? {} : { messages }),
    ...way,
    ...(pinOf(run, node.id) === undefined ? {} : { pinned: true as const }),
  });
}

export function pinOf({ info }: RunContext, nodeId: string): Pin | undefined {
  const { pins } = info.input;
  return pins !== undefined && Object.hasOwn(pins, nodeId) ? pins[nodeId] : undefined;
}

/** An unconnected branch is a legitimate end, but warn in case it is a mistake. */
function warnOfDeadEnd(run: RunContext, { node, nodeRun }: Execution, ports: readonly string[]): void {
  const edges = edgesFrom(run, nodeRun);
  if (edges.length === 0 || ports.length === 0 || edges.some((edge) => ports.includes(edge.sourcePort))) return;
  const titles = node.type.ports(node.config).filter(({ id }) => ports.includes(id));
  const names = titles.map(({ title }) => `"${title}"`).join(", ");
  const message = `${node.label}: nothing is connected to ${names || defaultPort}, so this branch ends here.`;
  run.journal.record({ type: "run-warned", code: "branch-unconnected", message, nodeKey: nodeRun.key });
}

function edgesFrom(run: RunContext, nodeRun: NodeRun) {
  const scope = run.state.scopes.get(nodeRun.scope);
  return (scope && levelOf(run.graph, scope).outgoing.get(nodeRun.nodeId)) ?? [];
}

/** Doubles with every attempt; a longer delay requested by the service is respected. */
function retryDelayMs(policy: FailurePolicy, attempt: number, error: RunError): number {
  const asked = (error.upstream?.retryAfterSeconds ?? 0) * 1_000;
  return Math.max(asked, policy.retryDelayMs * 2 ** (attempt - 1));
}

/**
 * A completed node's change to the flow's state: its own patch, overridden by the updates of its config, rendered
 * against the current run. Only in these is `{{ output }}` the node's answer and `{{ output.path }}` a part of it: of
 * its structured answer, of its output, or of its text if that is JSON. Undefined if nothing changes.
 */
function stateAfter(
  run: RunContext,
  { node, nodeRun }: { node: GraphNode; nodeRun: NodeRun },
  completion: Completion,
): JsonObject | undefined {
  const updates = node.config.updateState ?? [];
  if (updates.length === 0) return completion.state;
  const values = createTemplateScope({ ...run, run: run.info, nodeRun, history: run.templateHistory });
  const own = ownOutput(completion);
  const scope: TemplateScope = { ...values, node: (id) => (id === "output" ? own : values.node(id)) };
  const onUnknown = (source: string) =>
    run.journal.record({
      type: "run-warned",
      code: "template-empty",
      message: `${node.label}: ${source} has no value in this run; the state was given an empty text.`,
      nodeKey: nodeRun.key,
    });
  const state: JsonObject = { ...completion.state };
  for (const { key, value, how } of updates) {
    const given = renderTemplate(value, scope, { onUnknown });
    state[key] = how === "append" ? appended(state[key] ?? run.state.flowState[key], given) : given;
  }
  return state;
}

/** Appends a value to a list. A non-list becomes the first entry; nothing becomes an empty list. */
function appended(before: Json | undefined, given: Json): Json[] {
  const entriesOf = (value: Json | undefined) =>
    Array.isArray(value) ? value : value === undefined || value === null || value === "" ? [] : [value];
  return [...entriesOf(before), ...entriesOf(given)];
}

function ownOutput({ output, text, json }: Completion): { output: Json; text: Json } {
  const answer = text ?? output;
  const data = json ?? output;
  if (Array.isArray(data)) return { output: data, text: answer };
  const fields = [parse(answer), output, json].flatMap((part) => (isJsonObject(part) ? Object.entries(part) : []));
  return { output: Object.fromEntries(fields), text: answer };
}

function parse(answer: Json): Json | undefined {
  return typeof answer === "string" ? parseJson(answer) : undefined;
}
