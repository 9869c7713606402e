import type { RunError } from "@weft/schema";
import { isExpected, toRunError } from "./errors.ts";
import type { ItemOutcome } from "./node-type.ts";
import { endDueWaits, endsSoon, suspensionOf, untilFirst } from "./run/due-waits.ts";
import { executeNode } from "./run/execute-node.ts";
import { isReady, itemScopes, openWaits } from "./run/readiness.ts";
import type { RunContext } from "./run/run-context.ts";
import type { NodeRun, ScopeState } from "./run/run-state.ts";
import { turnText } from "./run/turn-text.ts";

/**
 * Drives one run until it ends, waits for a human, a moment or a signal, or this process must let go of it.
 *
 * - E1 The journal is the only state: `RunState = fold(events)`. Nothing is remembered that cannot be rebuilt from it.
 * - E2 A node starts when every incoming edge has delivered or is known to be dead; at most once per (scope, node, pass).
 * - E3 The only places that wait are a node's `execute`, `clock.sleep` and `journal.append`; each gets the run's signal.
 * - E4 An append succeeds before any observer sees the event. Deltas are streamed, the finished message is journalled.
 * - E5 A node's failure is an event with a code and a retryable flag; only a broken invariant throws.
 * - E6 Suspension ends this process's work on the run; resuming is fold + continue, on any process. A wait that ends
 *   within a second does not suspend: the run stays for it.
 * - E7 Everything inside a node that touches the world goes through `ctx.effect`; on replay the recorded value returns.
 * - E8 An append is compare-and-set on (run, seq) with the lease's epoch: who lost the lease cannot write.
 * - E9 The scheduler knows ports, never vendors. Clock, ids and randomness are ports too.
 */
export type RunOutcome = "completed" | "failed" | "cancelled" | "suspended" | "stopped" | "lost";

/** Runs until there is nothing left to do in this process. Rejects when the journal cannot be written. */
export async function driveRun(run: RunContext): Promise<RunOutcome> {
  const inFlight = new Map<string, Promise<void>>();
  for (;;) {
    if (run.signal.aborted) return concludeAborted(run);
    const failure = run.state.scopes.get("")?.failure;
    if (failure || run.stopping.aborted) {
      run.stop();
      await Promise.allSettled(inFlight.values());
      return failure ? conclude(run, failure) : letGo(run);
    }
    endDueWaits(run);
    startReadyNodes(run, inFlight);
    if (inFlight.size === 0 && !endsSoon(run)) return concludeQuiet(run);
    await untilFirst(run, [...inFlight.values(), run.interrupted]);
  }
}

/** Starts all ready nodes, item scopes included, up to the run's concurrency. */
function startReadyNodes(run: RunContext, inFlight: Map<string, Promise<void>>): void {
  const open: ScopeState[] = [];
  const top = run.state.scopes.get("");
  if (top) open.push(top);
  for (let scope = open.shift(); scope; scope = open.shift()) {
    for (const node of [...scope.nodes.values()]) {
      if (node.phase.type === "spawned") open.push(...advanceSpawned(run, node, inFlight));
      if (inFlight.size >= run.limits.concurrency) return;
      if (inFlight.has(node.key) || !mayRun(run, scope, node)) continue;
      const work = executeNode(run, node).finally(() => inFlight.delete(node.key));
      inFlight.set(node.key, work);
    }
  }
}

function mayRun(run: RunContext, scope: ScopeState, node: NodeRun): boolean {
  if (scope.failure || !isWanted(run, node)) return false;
  if (node.phase.type === "started" || node.phase.type === "retrying") return true;
  return isReady(run.graph, scope, node);
}

/** A single-step run executes only that step and everything inside it. */
function isWanted({ info }: RunContext, { key }: NodeRun): boolean {
  const { onlyStep } = info.input;
  return onlyStep === undefined || key === onlyStep || key.startsWith(`${onlyStep}[`);
}

/**
 * Returns the item scopes that may proceed. When all are done, or one failed and failures are not tolerated, the node
 * that spawned them proceeds instead.
 */
function advanceSpawned(run: RunContext, node: NodeRun, inFlight: Map<string, Promise<void>>): ScopeState[] {
  const { phase } = node;
  if (phase.type !== "spawned" || inFlight.has(node.key)) return [];
  if (phase.failure === null && phase.open.size > 0) {
    return itemScopes(run.state, node, [...phase.open].slice(0, phase.concurrency));
  }
  if (!isWanted(run, node)) return [];
  const outcomes = phase.failure ?? itemScopes(run.state, node, phase.items.keys()).map(toOutcome);
  const work = executeNode(run, node, outcomes).finally(() => inFlight.delete(node.key));
  inFlight.set(node.key, work);
  return [];
}

function toOutcome({ failure, result }: ScopeState): ItemOutcome {
  return failure ? { ok: false, error: failure } : { ok: true, value: result };
}

/** Nothing runs and nothing can start: the run waits, or is complete. */
async function concludeQuiet(run: RunContext): Promise<RunOutcome> {
  if (openWaits(run.state).length > 0) {
    run.journal.record(suspensionOf(run));
    await run.journal.flush();
    return "suspended";
  }
  const { answer, usage } = run.state;
  const json = answer?.json === undefined ? {} : { json: answer.json };
  run.journal.record({
    type: "run-completed",
    text: turnText(run.state),
    ...json,
    answerNodeKey: answer?.nodeKey ?? null,
    usage,
  });
  await run.journal.flush();
  return "completed";
}

async function conclude(run: RunContext, error: RunError): Promise<RunOutcome> {
  if (run.signal.aborted) return concludeAborted(run);
  const failed = [...run.state.scopes.values()]
    .flatMap((scope) => [...scope.nodes.values()])
    .find((node) => node.phase.type === "failed" && node.phase.error === error);
  run.journal.record({ type: "run-failed", error, nodeKey: failed?.key ?? null });
  await run.journal.flush();
  return "failed";
}

/** The run was cancelled, ran out of time or steps, or its journal can no longer be written. */
async function concludeAborted(run: RunContext): Promise<RunOutcome> {
  const reason: unknown = run.signal.reason;
  if (!isExpected(reason)) throw reason;
  const error = toRunError(reason);
  if (error.code === "flow-cancelled") run.journal.record({ type: "run-cancelled" });
  else run.journal.record({ type: "run-failed", error, nodeKey: null });
  await run.journal.flush();
  return error.code === "flow-cancelled" ? "cancelled" : "failed";
}

/** Finished work is durable; another process continues from there. */
async function letGo(run: RunContext): Promise<RunOutcome> {
  await run.journal.flush();
  return "stopped";
}
