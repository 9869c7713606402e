import type { TextDelta } from "@weft/engine/ports/observer";
import type { HostObserver, RunWatcher } from "@weft/run-host";
import type { EffectCategory, RunEvent } from "@weft/schema";
import type { ModelPrices } from "../prices/model-prices.ts";
import { createLabelBound, type Registry } from "./registry.ts";
import { createRunMeters, type ModelCall } from "./run-meters.ts";

/** Facts about the runs of this process. */
export type KnownRuns = {
  /** The agent of a run whose start another process saw; undefined if the run is not here. */
  agentOf(runId: string): string | undefined;
  /** The type of a step, such as `llm`; undefined if its run is not here. */
  stepTypeOf(runId: string, nodeId: string): string | undefined;
};

/**
 * Counts events of the runs of this process. Each costs a few lookups, independent of the run's history; no content of
 * people or models is kept or shown. Agents and models beyond the first 200 count as `other`.
 */
export function createRunMetrics(
  registry: Registry,
  { runs, prices, now }: { runs: KnownRuns; prices: ModelPrices; now(): number },
): RunWatcher {
  const meters = createRunMeters(registry, prices);
  const boundAgent = createLabelBound(200);
  const underWay = createRunsUnderWay((runId) => runs.agentOf(runId) !== undefined);

  function agentOf(runId: string, known: RunUnderWay): string {
    known.agent ??= boundAgent(runs.agentOf(runId) ?? "unknown");
    return known.agent;
  }

  const stepEnded =
    (outcome: string) =>
    (run: RunUnderWay, { nodeKey, nodeId, at }: { nodeKey: string; nodeId: string; at: number }, runId: string) => {
      const startedAt = run.steps.get(nodeKey);
      if (startedAt === undefined) return;
      run.steps.delete(nodeKey);
      const type = meters.boundStepType(runs.stepTypeOf(runId, nodeId) ?? "unknown");
      meters.stepSeconds.observe(secondsBetween(startedAt, at), type, outcome);
    };

  const runEnded =
    (state: string) =>
    (run: RunUnderWay, { at }: { at: number }, runId: string) => {
      meters.ended.add(1, state, agentOf(runId, run));
      if (run.startedAt !== undefined) meters.runSeconds.observe(secondsBetween(run.startedAt, at), state);
      underWay.forget(runId);
    };

  const hear: { [T in RunEvent["type"]]?: Hear<T> } = {
    "run-started": (run, { agentId, at }) => {
      run.agent = boundAgent(agentId);
      run.startedAt = at;
      meters.started.add(1, run.agent);
    },
    "node-started": (run, { nodeKey, at }) => void run.steps.set(nodeKey, at),
    "node-completed": stepEnded("completed"),
    "node-failed": stepEnded("failed"),
    "node-suspended": stepEnded("suspended"),
    "effect-started": (run, event) => effectStarted(meters, run, event),
    "effect-finished": (run, event) => effectFinished(meters, run, event),
    "run-suspended": (run, _, runId) => {
      meters.suspended.add(1, agentOf(runId, run));
      underWay.forget(runId);
    },
    "run-completed": runEnded("completed"),
    "run-failed": runEnded("failed"),
    "run-cancelled": runEnded("cancelled"),
  };

  return {
    committed(runId, events) {
      for (const event of events) {
        const heard = hear[event.type] as Hear<RunEvent["type"]> | undefined;
        heard?.(underWay.get(runId), event, runId);
      }
    },
    delta(delta) {
      if (delta.offset === 0) firstToken(meters, underWay.get(delta.runId), { ...delta, at: now() });
    },
    ...hostMetrics(registry),
  };
}

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

type Hear<T extends RunEvent["type"]> = (run: RunUnderWay, event: EventOf<T>, runId: string) => void;

function effectStarted(meters: RunMeters, run: RunUnderWay, event: EventOf<"effect-started">): void {
  const { category, at, seq } = event;
  const model = category === "model" ? { id: event.name, labels: meters.modelLabels(event.name) } : undefined;
  const firstTokenAt = run.firstTokens.get(seq);
  run.effects.set(effectKey(event), { at, seq, category, model });
  if (firstTokenAt !== undefined && model) meters.firstToken.observe(secondsBetween(at, firstTokenAt), ...model.labels);
}

function effectFinished(meters: RunMeters, run: RunUnderWay, event: EventOf<"effect-finished">): void {
  const key = effectKey(event);
  const effect = run.effects.get(key);
  if (effect === undefined) return;
  run.effects.delete(key);
  run.firstTokens.delete(effect.seq);
  const seconds = secondsBetween(effect.at, event.at);
  meters.effectSeconds.observe(seconds, effect.category, event.outcome.ok ? "ok" : "failed");
  if (event.retryAfterMs !== undefined) meters.retried.add(1, effect.category);
  if (effect.model) meters.modelAnswered(seconds, effect.model, event.outcome);
}

/** May arrive before its call's announcement is committed: whichever is later observes. */
function firstToken(meters: RunMeters, run: RunUnderWay, { effectSeq, at }: TextDelta & { at: number }): void {
  run.firstTokens.set(effectSeq, at);
  for (const { seq, model, at: askedAt } of run.effects.values()) {
    if (seq === effectSeq && model) meters.firstToken.observe(secondsBetween(askedAt, at), ...model.labels);
  }
}

type RunMeters = ReturnType<typeof createRunMeters>;

type EffectUnderWay = { at: number; seq: number; category: EffectCategory; model: ModelCall | undefined };

/** State of a run until it ends or waits. */
type RunUnderWay = {
  agent?: string;
  startedAt?: number;
  /** When steps started, by node key. */
  steps: Map<string, number>;
  effects: Map<string, EffectUnderWay>;
  /** When models began to write, by the sequence number of their call. */
  firstTokens: Map<number, number>;
};

/** Number of runs kept before looking for those that left this process without an end. */
const fewRuns = 1_000;

function createRunsUnderWay(isHere: (runId: string) => boolean) {
  const runs = new Map<string, RunUnderWay>();
  let enough = fewRuns;

  /** The next sweep comes at twice the remaining number: amortised one check per run. */
  function forgetGone(): void {
    for (const runId of runs.keys()) if (!isHere(runId)) runs.delete(runId);
    enough = Math.max(fewRuns, 2 * runs.size);
  }

  return {
    get(runId: string): RunUnderWay {
      const known = runs.get(runId);
      if (known !== undefined) return known;
      const run: RunUnderWay = { steps: new Map(), effects: new Map(), firstTokens: new Map() };
      if (runs.size >= enough) forgetGone();
      runs.set(runId, run);
      return run;
    },
    forget: (runId: string): void => void runs.delete(runId),
  };
}

function effectKey({ nodeKey, effectKey }: { nodeKey: string; effectKey: string }): string {
  return `${nodeKey}:${effectKey}`;
}

/** Clocks of two processes may differ. */
function secondsBetween(from: number, to: number): number {
  return Math.max(0, to - from) / 1_000;
}

function hostMetrics(registry: Registry): HostObserver {
  const renewed = registry.counter({
    name: "weft_lease_renewals_total",
    help: "Leases of runs that this process renewed.",
  });
  const lost = registry.counter({
    name: "weft_leases_lost_total",
    help: "Leases of runs that another process took, or that a run gave back as it ended, found at a renewal.",
  });
  const takenOver = registry.counter({
    name: "weft_run_take_overs_total",
    help: "Runs of a process that was gone, continued here.",
  });
  return {
    leasesRenewed(kept, gone) {
      renewed.add(kept);
      lost.add(gone);
    },
    takenOver: () => takenOver.add(1),
  };
}
