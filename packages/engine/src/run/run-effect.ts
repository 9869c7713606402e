import { type EffectOutcome, type Json, type RunError, WeftError } from "@weft/schema";
import { RunFailure, toRunError } from "../errors.ts";
import type { EffectInfo, EffectSpec } from "../node-type.ts";
import type { Clock } from "../ports/clock.ts";
import type { RunBudget } from "./run-budget.ts";
import type { RunJournal } from "./run-journal.ts";
import { type EffectRecord, effectId, type RunState } from "./run-state.ts";

export type EffectScope = {
  runId: string;
  nodeKey: string;
  attempt: number;
  state: RunState;
  journal: RunJournal;
  clock: Clock;
  /** Until the run's time limit. */
  timeLeftMs(): number;
  budget: RunBudget;
  /** The node sets its own number of retries. */
  hasOwnRetries: boolean;
  /** Ends writes in progress: a cancel, a time limit, a lost lease. */
  signal: AbortSignal;
  /** Aborted with `signal`, and when the process stops: reads give up, no effect starts, writes may finish. */
  readSignal: AbortSignal;
};

/**
 * Touches the world once (E7). A finished effect returns its recorded value; a write started by a process that is gone
 * fails with `flow-outcome-unknown`; a write is never attempted twice, whatever its node's retries say. A write starts
 * once everything recorded before it, its own announcement included, is durable. A read may start while that is being
 * committed, as long as the run is certainly ours, and nothing follows from it until then. A read with a transient
 * failure is retried; the journal counts the attempts, so a crash does not reset them.
 */
export async function runEffect<T extends Json>(
  scope: EffectScope,
  spec: EffectSpec,
  run: (info: EffectInfo) => Promise<T>,
): Promise<T> {
  for (;;) {
    scope.readSignal.throwIfAborted();
    const record = scope.state.effects.get(effectId(scope.nodeKey, spec.key));
    const replayed = replay(scope, spec, record);
    if (replayed) return settled(replayed, spec) as T;
    if (record?.pause) await waitFor(scope, record.pause);
    const outcome = await attempt(scope, spec, run);
    if (outcome) return settled(outcome, spec) as T;
  }
}

/** Total attempts of a read with a transient failure. */
const maxAttempts = 3;

/** Undefined if it will be retried, after the pause that the state then names. */
async function attempt(
  scope: EffectScope,
  spec: EffectSpec,
  run: (info: EffectInfo) => Promise<Json>,
): Promise<EffectOutcome | undefined> {
  const { state, journal, nodeKey } = scope;
  const effectKey = spec.key;
  const id = effectId(nodeKey, effectKey);
  const isRead = spec.kind === "read";
  const retries = retriesOf(scope, id);
  const taking = scope.budget.takeCall(spec);
  const taken = taking instanceof Promise ? await taking : taking;
  scope.readSignal.throwIfAborted();
  const before = journal.flush();
  journal.record({
    type: "effect-started",
    nodeKey,
    effectKey,
    attempt: scope.attempt + retries,
    ...effectFacts(spec),
  });
  const seq = state.lastSeq;
  const signal = isRead ? scope.readSignal : scope.signal;
  if (!isRead || !journal.isSure()) {
    await journal.flush();
    signal.throwIfAborted();
  }
  const outcome = await attemptOnce(run, { seq, signal, idempotencyKey: `${scope.runId}/${id}` });
  await taken?.settle(outcome.ok ? outcome.value : undefined);
  await before;
  signal.throwIfAborted();
  const retryAfterMs = pauseAfter(scope, spec, { outcome, retries });
  const retry = retryAfterMs === undefined ? {} : { retryAfterMs };
  journal.record({ type: "effect-finished", nodeKey, effectKey, outcome, ...retry });
  if (!isRead || retryAfterMs !== undefined) await journal.flush();
  return retryAfterMs === undefined ? outcome : undefined;
}

function retriesOf({ state, attempt }: EffectScope, id: string): number {
  const record = state.effects.get(id);
  return record?.attempt === attempt ? record.retries : 0;
}

/** The pause before the next attempt; undefined if there is none, or the run ends before it could start. */
function pauseAfter(
  scope: EffectScope,
  spec: EffectSpec,
  { outcome, retries }: { outcome: EffectOutcome; retries: number },
): number | undefined {
  if (outcome.ok || spec.kind !== "read" || scope.hasOwnRetries) return undefined;
  if (retries + 1 >= maxAttempts || !spec.isTransient?.(outcome.error)) return undefined;
  const pauseMs = retryPauseMs({
    retries,
    retryAfterSeconds: outcome.error.upstream?.retryAfterSeconds,
    seed: `${scope.runId}/${scope.nodeKey}:${spec.key}`,
  });
  return pauseMs < scope.timeLeftMs() ? pauseMs : undefined;
}

/** Never longer than the intended pause, whatever the machine's clock shows now. */
async function waitFor(scope: EffectScope, { until, ms }: { until: number; ms: number }): Promise<void> {
  const restMs = Math.min(ms, until - scope.clock.now());
  if (restMs > 0) await scope.clock.sleep(restMs, scope.readSignal);
}

function effectFacts(spec: EffectSpec) {
  const { kind, category, name, input, follows } = spec;
  return { kind, category, name, input, ...(follows && { follows: [...follows] }) };
}

/** The outcome recorded in the journal, or decided now because the process that started the effect is gone. */
function replay(scope: EffectScope, spec: EffectSpec, record: EffectRecord | undefined): EffectOutcome | undefined {
  if (!record) return undefined;
  if (record.outcome) {
    const isFinal = record.outcome.ok || record.kind === "write" || record.attempt === scope.attempt;
    return isFinal ? record.outcome : undefined;
  }
  if (record.kind !== "write") return undefined;
  const error = toRunError(new WeftError("flow-outcome-unknown", { params: { name: spec.name } }));
  const outcome: EffectOutcome = { ok: false, error };
  scope.journal.record({ type: "effect-finished", nodeKey: scope.nodeKey, effectKey: spec.key, outcome });
  return outcome;
}

async function attemptOnce(run: (info: EffectInfo) => Promise<Json>, info: EffectInfo): Promise<EffectOutcome> {
  try {
    return { ok: true, value: await run(info) };
  } catch (cause) {
    info.signal.throwIfAborted();
    return { ok: false, error: describe(cause) };
  }
}

function describe(cause: unknown): RunError {
  const error = toRunError(cause);
  if (error.code === "internal") throw cause;
  return error;
}

function settled(outcome: EffectOutcome, { kind }: EffectSpec): Json {
  if (outcome.ok) return outcome.value;
  throw new RunFailure(outcome.error, { isFinal: kind === "write" });
}

type RetryPause = {
  retries: number;
  /** Delay requested by the called service. */
  retryAfterSeconds: number | undefined;
  /** Spreads the pauses of many callers; the same seed gives the same pause. */
  seed: string;
};

const firstPauseMs = 500;

/**
 * The pause before a retry: half a second, doubled with every retry and shortened by up to half, so that callers that
 * failed together do not return together; never shorter than the called service asks for.
 */
function retryPauseMs({ retries, retryAfterSeconds = 0, seed }: RetryPause): number {
  const growing = firstPauseMs * 2 ** retries * (1 - fractionOf(`${seed}/${retries}`) / 2);
  return Math.ceil(Math.max(retryAfterSeconds * 1_000, growing));
}

/** FNV-1a, from 0 up to 1. */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
