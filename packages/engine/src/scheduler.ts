import type { RunError, RunEventOf } from "@weft/schema";
import { isExpected, toRunError } from "./errors.ts";
import type { ItemOutcome } from "./node-type.ts";
import { executeNode } from "./run/execute-node.ts";
import { dueWaits, endByTime, isReady, itemScopes, nextDueAt, openQuestions, openWaits } from "./run/readiness.ts";
import type { RunContext } from "./run/run-context.ts";
import { type NodeRun, type ScopeState, turnText } from "./run/run-state.ts";

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

/** Releasing the run for so short a wait is not worth it: another process would pick it up about as late. */
const stayMs = 1_000;
/** How long a caller waits for an answer while its run only waits. */
const holdMs = 60_000;

function endDueWaits(run: RunContext): void {
  for (const open of dueWaits(run.state, run.clock.now())) run.journal.record(endByTime(open));
}

/** Whether a wait ends before this process would release the run and another pick it up. */
function endsSoon({ state, clock }: RunContext): boolean {
  const dueAt = nextDueAt(state);
  return dueAt !== undefined && dueAt - clock.now() <= stayMs;
}

/** Waits for the first of these promises, or until a wait is due. */
async function untilFirst(run: RunContext, others: readonly Promise<unknown>[]): Promise<void> {
  const dueAt = nextDueAt(run.state);
  if (dueAt === undefined) {
    await Promise.race(others);
    return;
  }
  // Others must know of a wait before it begins.
  run.journal.flush().catch(() => undefined);
  const over = new AbortController();
  const due = run.clock.sleep(Math.max(0, dueAt - run.clock.now()), over.signal).catch(() => undefined);
  await Promise.race([...others, due]);
  over.abort("over");
}

/**
 * How a run that only waits is suspended. A caller is held only for a short time, and not if a human is asked as well.
 * A call from within another run always waits for the end.
 */
function suspensionOf({ state, clock, info }: RunContext): RunEventOf<"run-suspended"> {
  const dueAt = nextDueAt(state);
  if (dueAt === undefined) return { type: "run-suspended" };
  const isAsking = openQuestions(state).length > 0;
  const isShort = dueAt - clock.now() <= holdMs || info.depth > 0;
  return { type: "run-suspended", dueAt, ...(isShort && !isAsking ? { holds: true } : {}) };
}
