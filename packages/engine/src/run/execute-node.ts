import { errorPort, type Json, type RunError, WeftError } from "@weft/schema";
import { isExpected, RunFailure, toRunError } from "../errors.ts";
import type { GraphNode } from "../flow/graph.ts";
import type { FailurePolicy, NodeResult } from "../node-type.ts";
import { levelOf } from "./fold.ts";
import { createNodeContext } from "./node-context.ts";
import type { RunContext } from "./run-context.ts";
import { linkSignal } from "./run-signals.ts";
import type { NodeRun } from "./run-state.ts";

/**
 * Runs one node execution and records what came of it. `spawned` is the results of its sub-flow's items, or the error
 * that ended one. Resolves without a record when the run was interrupted or a jump made this execution obsolete.
 */
export async function executeNode(run: RunContext, nodeRun: NodeRun, spawned?: Json[] | RunError): Promise<void> {
  const node = run.graph.nodes.get(nodeRun.nodeId);
  if (!node) throw new Error(`The flow has no node ${nodeRun.nodeId}.`);
  const attempt = "attempt" in nodeRun.phase ? nodeRun.phase.attempt : 1;
  try {
    const result = await resultOf(run, node, { nodeRun, attempt }, spawned);
    if (result && isCurrent(run, nodeRun)) recordResult(run, node, { nodeRun, attempt, result });
  } catch (cause) {
    if (run.readSignal.aborted || !isCurrent(run, nodeRun)) return;
    if (!isExpected(cause)) run.onBug(cause);
    const isFinal = cause instanceof RunFailure && cause.isFinal;
    recordFailure(run, node, { nodeRun, attempt, error: toRunError(cause), isFinal });
  }
}

/** Undefined when the run has no steps left. */
async function resultOf(
  run: RunContext,
  node: GraphNode,
  { nodeRun, attempt }: Execution,
  spawned: Json[] | RunError | undefined,
): Promise<NodeResult | undefined> {
  const { phase, key: nodeKey } = nodeRun;
  if (spawned && !Array.isArray(spawned)) return { type: "failed", error: spawned };
  if (phase.type === "retrying") await run.clock.sleep(Math.max(0, phase.at - run.clock.now()), run.readSignal);
  if (phase.type === "idle" || phase.type === "retrying") {
    if (!countStep(run)) return undefined;
    run.journal.record({ type: "node-started", nodeKey, nodeId: node.id, attempt });
  }
  const extras: Extras = {};
  if (phase.type === "started" && phase.answer !== undefined) extras.answer = phase.answer;
  if (spawned) extras.spawned = spawned;
  return executeWithin(run, node, { nodeRun, attempt, extras });
}

type Execution = { nodeRun: NodeRun; attempt: number };
type Extras = { answer?: Json; spawned?: Json[] };

/** Whether the run is still open and no jump has begun a new pass of this node meanwhile. */
function isCurrent(run: RunContext, nodeRun: NodeRun): boolean {
  if (run.state.end || run.signal.aborted) return false;
  return run.state.scopes.get(nodeRun.scope)?.nodes.get(nodeRun.nodeId) === nodeRun;
}

function countStep(run: RunContext): boolean {
  if (run.state.steps < run.limits.maxSteps) return true;
  const reason = `it made ${run.limits.maxSteps} steps`;
  run.abort(new WeftError("flow-limit", { params: { reason } }));
  return false;
}

async function executeWithin(
  run: RunContext,
  node: GraphNode,
  execution: Execution & { extras: Extras },
): Promise<NodeResult> {
  const timeoutMs = node.config.onFailure?.timeoutMs;
  if (timeoutMs === undefined) return execute(run, node, execution, run);
  const timeout = new WeftError("flow-node-failed", {
    params: { reason: `${node.label} took longer than its time limit of ${timeoutMs} ms.` },
    retryable: true,
  });
  const signal = linkSignal(run.signal);
  const readSignal = linkSignal(run.readSignal);
  const ended = new AbortController();
  const expiry = run.clock.sleep(timeoutMs, ended.signal).then(
    () => {
      for (const link of [signal, readSignal]) link.abort(timeout);
      throw timeout;
    },
    () => new Promise<never>(() => undefined),
  );
  const signals = { signal: signal.signal, readSignal: readSignal.signal };
  try {
    return await Promise.race([execute(run, node, execution, signals), expiry]);
  } finally {
    ended.abort("ended");
    for (const link of [signal, readSignal]) link.release();
  }
}

function execute(
  run: RunContext,
  node: GraphNode,
  { nodeRun, attempt, extras }: Execution & { extras: Extras },
  { signal, readSignal }: { signal: AbortSignal; readSignal: AbortSignal },
): Promise<NodeResult> {
  const isLeaf = nodeRun.scope === "" && levelOf(run.graph, topScope(run)).outgoing.get(node.id)?.length === 0;
  const context = createNodeContext({
    ...run,
    node,
    nodeRun,
    attempt,
    history: run.templateHistory,
    isAnswer: isLeaf && isSoleAnswer(run, node),
    signal,
    readSignal,
    ...extras,
  });
  return node.type.execute(context, node.config);
}

function topScope(run: RunContext) {
  const scope = run.state.scopes.get("");
  if (!scope) throw new Error("The run has not started.");
  return scope;
}

/** Whether no other leaf can still answer in this node's place, so that its text may be streamed as the answer. */
function isSoleAnswer(run: RunContext, node: GraphNode): boolean {
  const scope = topScope(run);
  const level = levelOf(run.graph, scope);
  return level.nodeIds.every((id) => {
    const isOtherLeaf = id !== node.id && level.outgoing.get(id)?.length === 0;
    const other = run.graph.nodes.get(id)?.type.answers;
    if (!isOtherLeaf || other === "never") return true;
    const isReply = node.type.answers === "reply";
    if (isReply && other === "leaf") return true;
    const phase = scope.nodes.get(id)?.phase.type;
    return phase === "skipped" || phase === "failed" || (phase === "completed" && isReply);
  });
}

function recordResult(
  run: RunContext,
  node: GraphNode,
  { nodeRun, attempt, result }: Execution & { result: NodeResult },
): void {
  const facts = { nodeKey: nodeRun.key, nodeId: node.id };
  switch (result.type) {
    case "failed":
      recordFailure(run, node, { nodeRun, attempt, error: result.error });
      return;
    case "suspend": {
      const wait = { waitId: run.ids.uuid(), nodeId: node.id, text: result.text, details: result.details };
      run.journal.record({ type: "node-suspended", ...facts, wait });
      return;
    }
    case "spawn":
      run.journal.record({ ...facts, type: "node-spawned", items: result.items, concurrency: result.concurrency });
      return;
    case "completed":
    case "branch":
    case "jump": {
      const { type: _type, ...completion } = result;
      const { to: jumpTo, ...rest } = { to: undefined, ...completion };
      run.journal.record({ type: "node-completed", ...facts, ...rest, ...(jumpTo === undefined ? {} : { jumpTo }) });
      return;
    }
  }
}

function recordFailure(
  run: RunContext,
  node: GraphNode,
  { nodeRun, attempt, error, isFinal = false }: Execution & { error: RunError; isFinal?: boolean },
): void {
  const policy = node.config.onFailure;
  const facts = { type: "node-failed", nodeKey: nodeRun.key, nodeId: node.id, error, attempt } as const;
  if (policy && error.retryable && !isFinal && attempt <= policy.retries) {
    const at = run.clock.now() + retryDelayMs(policy, attempt, error);
    run.journal.record({ ...facts, next: { type: "retry", at } });
    return;
  }
  const scope = run.state.scopes.get(nodeRun.scope);
  const edges = scope ? levelOf(run.graph, scope).outgoing.get(node.id) : undefined;
  const hasErrorPort = edges?.some((edge) => edge.sourcePort === errorPort) ?? false;
  run.journal.record({ ...facts, next: { type: hasErrorPort ? "error-port" : "stop" } });
}

/** Doubles with every attempt; a called service that names a longer delay is obeyed. */
function retryDelayMs(policy: FailurePolicy, attempt: number, error: RunError): number {
  const asked = (error.upstream?.retryAfterSeconds ?? 0) * 1_000;
  return Math.max(asked, policy.retryDelayMs * 2 ** (attempt - 1));
}
