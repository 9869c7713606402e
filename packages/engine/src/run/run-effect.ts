import { type EffectOutcome, type Json, type RunError, WeftError } from "@weft/schema";
import { RunFailure, toRunError } from "../errors.ts";
import type { EffectInfo, EffectSpec } from "../node-type.ts";
import type { RunJournal } from "./run-journal.ts";
import { type EffectRecord, effectId, type RunState } from "./run-state.ts";

export type EffectScope = {
  runId: string;
  nodeKey: string;
  attempt: number;
  state: RunState;
  journal: RunJournal;
  /** Ends writes under way: a cancel, a time limit, a lost lease. */
  signal: AbortSignal;
  /** Aborted with `signal`, and when the process stops: then reads give up, no effect begins, writes may finish. */
  readSignal: AbortSignal;
};

/**
 * Touches the world once (E7). A finished effect returns its recorded value; a write that was started by a process
 * that is gone fails with `flow-outcome-unknown`; a write is never attempted twice, whatever its node's retries say.
 * A write begins when everything recorded before, its own announcement included, is durable. A read may begin while
 * that is being committed, as long as the run is certainly ours, and nothing follows from it before it is.
 */
export async function runEffect<T extends Json>(
  scope: EffectScope,
  spec: EffectSpec,
  run: (info: EffectInfo) => Promise<T>,
): Promise<T> {
  const { state, journal, nodeKey, attempt } = scope;
  scope.readSignal.throwIfAborted();
  const id = effectId(nodeKey, spec.key);
  const replayed = replay(scope, spec, state.effects.get(id));
  if (replayed) return settled(replayed, spec) as T;
  const started = { type: "effect-started", nodeKey, effectKey: spec.key, attempt, ...effectFacts(spec) } as const;
  const isRead = spec.kind === "read";
  const before = journal.flush();
  journal.record(started);
  const seq = state.lastSeq;
  const signal = isRead ? scope.readSignal : scope.signal;
  if (!isRead || !journal.isSure()) {
    await journal.flush();
    signal.throwIfAborted();
  }
  const outcome = await attemptOnce(run, { seq, signal, idempotencyKey: `${scope.runId}/${id}` });
  await before;
  signal.throwIfAborted();
  journal.record({ type: "effect-finished", nodeKey, effectKey: spec.key, outcome });
  if (!isRead) await journal.flush();
  return settled(outcome, spec) as T;
}

function effectFacts(spec: EffectSpec) {
  return { kind: spec.kind, category: spec.category, name: spec.name, input: spec.input };
}

/** The outcome that the journal already knows, or decides now because the process that began it is gone. */
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
