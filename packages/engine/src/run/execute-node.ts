import { type Json, type RunError, WeftError } from "@weft/schema";
import { HostUnavailableError, isExpected, RunFailure, toRunError } from "../errors.ts";
import type { ItemOutcome, NodeResult } from "../node-type.ts";
import { createNodeContext } from "./node-context.ts";
import { isAttached } from "./readiness.ts";
import { type Execution, recordFailure, recordResult } from "./record-result.ts";
import type { RunContext } from "./run-context.ts";
import { linkSignal } from "./run-signals.ts";
import type { NodeRun } from "./run-state.ts";
import { isSoleAnswer } from "./sole-answer.ts";

/**
 * Runs one node execution and records what came of it. `spawned` is what came of its sub-flow's items, or the error
 * that ended one and with it the others. Resolves without a record when the run was interrupted, or left this execution
 * behind.
 */
export async function executeNode(
  run: RunContext,
  nodeRun: NodeRun,
  spawned?: ItemOutcome[] | RunError,
): Promise<void> {
  const node = run.graph.nodes.get(nodeRun.nodeId);
  if (!node) throw new Error(`The flow has no node ${nodeRun.nodeId}.`);
  const execution = { node, nodeRun, attempt: "attempt" in nodeRun.phase ? nodeRun.phase.attempt : 1 };
  try {
    const result = await resultOf(run, execution, spawned);
    if (result && isCurrent(run, nodeRun)) recordResult(run, execution, result);
  } catch (cause) {
    if (run.readSignal.aborted || !isCurrent(run, nodeRun)) return;
    if (cause instanceof HostUnavailableError) return run.abort(cause);
    if (!isExpected(cause)) run.onBug(cause);
    const isFinal = cause instanceof RunFailure && cause.isFinal;
    recordFailure(run, execution, { error: toRunError(cause), isFinal });
  }
}

/** Undefined when the run has no steps left, or went back while a retry was waited for. */
async function resultOf(
  run: RunContext,
  execution: Execution,
  spawned: ItemOutcome[] | RunError | undefined,
): Promise<NodeResult | undefined> {
  const { node, nodeRun, attempt } = execution;
  const { phase, key: nodeKey } = nodeRun;
  if (spawned && !Array.isArray(spawned)) return { type: "failed", error: spawned };
  if (phase.type === "retrying") await run.clock.sleep(Math.max(0, phase.at - run.clock.now()), run.readSignal);
  if (phase.type === "idle" || phase.type === "retrying") {
    if (!isCurrent(run, nodeRun) || !countStep(run)) return undefined;
    const answers = isSoleAnswer(run, execution) ? ({ isAnswer: true } as const) : {};
    run.journal.record({ type: "node-started", nodeKey, nodeId: node.id, attempt, ...answers });
  }
  const extras: Extras = {};
  if (phase.type === "started" && phase.answer !== undefined) extras.answer = phase.answer;
  if (spawned) extras.spawned = spawned;
  return executeWithin(run, execution, extras);
}

type Extras = { answer?: Json; spawned?: ItemOutcome[] };

/** Whether the run is still open, and neither a jump nor the failure of another item has left this execution behind. */
function isCurrent(run: RunContext, nodeRun: NodeRun): boolean {
  if (run.state.end || run.signal.aborted) return false;
  const scope = run.state.scopes.get(nodeRun.scope);
  return scope?.nodes.get(nodeRun.nodeId) === nodeRun && isAttached(run.state, scope);
}

function countStep(run: RunContext): boolean {
  if (run.state.steps < run.limits.maxSteps) return true;
  const reason = `it made ${run.limits.maxSteps} steps`;
  run.abort(new WeftError("flow-limit", { params: { reason } }));
  return false;
}

async function executeWithin(run: RunContext, execution: Execution, extras: Extras): Promise<NodeResult> {
  const { node } = execution;
  const timeoutMs = node.config.onFailure?.timeoutMs;
  if (timeoutMs === undefined) return execute(run, execution, extras, run);
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
    return await Promise.race([execute(run, execution, extras, signals), expiry]);
  } finally {
    ended.abort("ended");
    for (const link of [signal, readSignal]) link.release();
  }
}

function execute(
  run: RunContext,
  { node, nodeRun, attempt }: Execution,
  extras: Extras,
  { signal, readSignal }: { signal: AbortSignal; readSignal: AbortSignal },
): Promise<NodeResult> {
  const context = createNodeContext({
    ...run,
    node,
    nodeRun,
    attempt,
    history: run.templateHistory,
    signal,
    readSignal,
    ...extras,
  });
  return node.type.execute(context, node.config);
}
