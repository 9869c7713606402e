import type { GraphNode, WithGraph } from "@weft/engine";
import {
  asJson,
  type ExecutionEffect,
  type ExecutionStep,
  isJsonObject,
  type Json,
  type Pin,
  type RunEvent,
  type RunEventOf,
  toMoment,
  type Usage,
  usageSchema,
} from "@weft/schema";
import type { CostOf } from "../journal/index.ts";
import { itemOf } from "./executed-data.ts";

type At = { at: number };
type StepWait = ExecutionStep["waits"][number];

const noUsage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** `wholeStep`: key of the one step whose long values are not truncated. */
export type StepsOptions = { costOf: CostOf; wholeStep?: string | undefined };

/** The steps of a run in the order in which they started, each with its effects. Long values are truncated. */
export function toSteps(
  { graph }: WithGraph,
  events: readonly RunEvent[],
  { costOf, wholeStep }: StepsOptions,
): ExecutionStep[] {
  const steps = new Map<string, ExecutionStep>();
  const items = new Map<string, readonly Json[]>();
  const started = events[0]?.type === "run-started" ? events[0] : undefined;
  const cutOf = ({ nodeKey }: { nodeKey: string }) => (nodeKey === wholeStep ? (value: Json) => value : cutValue);

  function start(event: RunEvent & RunEventOf<"node-started">): void {
    const known = steps.get(event.nodeKey);
    if (known) {
      Object.assign(known, { attempt: event.attempt, status: "INPROGRESS", error: null });
      return;
    }
    const node = graph.nodes.get(event.nodeId);
    const input = cutOf(event)(inputOf(event.nodeKey, node?.type.group === "start"));
    steps.set(event.nodeKey, { ...toStep(event, node), input, ...(isRepeated(event) && { isRepeated: true }) });
  }

  function isRepeated({ seq }: RunEvent): boolean {
    return seq <= 1 + (started?.repeats ?? 0);
  }

  /** Undefined for usage that counts towards another run. */
  function priceOf(event: RunEvent): CostOf | undefined {
    return isRepeated(event) ? undefined : costOf;
  }

  function inputOf(nodeKey: string, isStart: boolean): Json {
    if (isStart) return started ? asJson(started.input) : null;
    const [, owner, index] = /^(.*)\[(\d+)\]\/[^/]*$/.exec(nodeKey) ?? [];
    return owner === undefined ? null : (items.get(owner)?.[Number(index)] ?? null);
  }

  function finish(event: { nodeKey: string } & At, changes: Partial<ExecutionStep>): void {
    const step = steps.get(event.nodeKey);
    if (step) Object.assign(step, { ...ending(step.startedAt, event.at), ...changes });
  }

  function take(event: RunEvent): void {
    switch (event.type) {
      case "node-started":
        start(event);
        return;
      case "effect-started":
        steps.get(event.nodeKey)?.effects.push(toEffect(event, cutOf(event)));
        return;
      case "effect-finished":
        finishEffect(steps.get(event.nodeKey), event, { costOf: priceOf(event), cut: cutOf(event) });
        return;
      case "node-spawned":
        items.set(event.nodeKey, event.items);
        return;
      case "node-completed":
        finish(event, {
          status: "FINISHED",
          output: cutOf(event)(event.output),
          ...(event.pinned && { pinned: event.pinned }),
          ...(event.nodeKey === wholeStep && { pin: toPin(event) }),
        });
        return;
      case "node-failed":
        finish(event, { status: event.next.type === "retry" ? "INPROGRESS" : "ERROR", error: event.error });
        return;
      case "node-suspended":
        steps.get(event.nodeKey)?.waits.push(toWait(event));
        finish(event, { status: "STOPPED", output: { content: event.wait.text }, ...notEnded });
        return;
      case "node-resumed":
        endWaits(steps.get(event.nodeKey), event, event);
        finish(event, { status: "INPROGRESS", input: cutOf(event)(event.answer), output: null, ...notEnded });
        return;
      case "run-failed":
      case "run-cancelled":
        for (const step of steps.values()) if (step.finishedAt === null) terminate(step, event);
        return;
      default:
        return;
    }
  }

  for (const event of events) take(event);
  return [...steps.values()];
}

type Step = Omit<ExecutionStep, "input">;

function toStep({ nodeKey, nodeId, attempt, at }: RunEventOf<"node-started"> & At, node: GraphNode | undefined): Step {
  return {
    nodeKey,
    nodeId,
    nodeLabel: node?.label ?? nodeId,
    type: node?.type.type ?? "unknown",
    ...itemOf(nodeKey),
    status: "INPROGRESS",
    attempt,
    startedAt: toMoment(at),
    ...notEnded,
    output: null,
    error: null,
    usage: noUsage,
    costDollars: null,
    waits: [],
    effects: [],
  };
}

function toPin({ output, text, json, ports, state }: RunEventOf<"node-completed">): Pin {
  return {
    output,
    ...(text !== undefined && { text }),
    ...(json !== undefined && { json }),
    ...(ports !== undefined && { ports }),
    ...(state !== undefined && { state }),
  };
}

const notEnded = { finishedAt: null, durationMs: null } as const;

function terminate(step: ExecutionStep, event: At): void {
  endWaits(step, event);
  Object.assign(step, { status: "TERMINATED", ...ending(step.startedAt, event.at) });
}

function toWait({ at, wait }: RunEventOf<"node-suspended"> & At): StepWait {
  return {
    startedAt: toMoment(at),
    finishedAt: null,
    ...(wait.until === undefined ? {} : { until: toMoment(wait.until) }),
    ...(wait.signal === undefined ? {} : { signal: wait.signal }),
    ...(wait.asks === false && { asks: wait.asks }),
  };
}

function endWaits(
  step: ExecutionStep | undefined,
  { at }: At,
  { answeredBy, resumedBy }: Partial<StepWait> = {},
): void {
  for (const wait of step?.waits ?? []) {
    if (wait.finishedAt !== null) continue;
    wait.finishedAt = toMoment(at);
    if (answeredBy !== undefined) wait.answeredBy = answeredBy;
    if (resumedBy !== undefined) wait.resumedBy = resumedBy;
  }
}

type Cut = (value: Json) => Json;

function toEffect(event: RunEventOf<"effect-started"> & At, cut: Cut): ExecutionEffect {
  const { effectKey, category, kind, name, attempt } = event;
  return {
    key: effectKey,
    category,
    kind,
    name,
    attempt,
    startedAt: toMoment(event.at),
    ...notEnded,
    input: cut(event.input),
    ...(event.follows && { follows: event.follows }),
    output: null,
    error: null,
    usage: null,
    costDollars: null,
  };
}

function finishEffect(
  step: ExecutionStep | undefined,
  event: RunEventOf<"effect-finished"> & At,
  { costOf, cut }: { costOf: CostOf | undefined; cut: Cut },
): void {
  const effect = step?.effects.findLast(({ key }) => key === event.effectKey);
  if (!step || !effect) return;
  const { outcome } = event;
  const usage = costOf && effect.category === "model" && outcome.ok ? usageOf(outcome.value) : null;
  Object.assign(effect, {
    ...ending(effect.startedAt, event.at),
    usage,
    costDollars: usage === null ? null : (costOf?.(effect.name, usage) ?? null),
    ...(outcome.ok ? { output: cut(outcome.value) } : { error: outcome.error }),
  });
  if (usage === null) return;
  step.usage = add(step.usage, usage);
  step.costDollars = costOfCalls(step.effects);
}

/** Null if a call that used tokens has no price. */
function costOfCalls(effects: readonly ExecutionEffect[]): number | null {
  const used = effects.filter(({ usage }) => usage !== null && usage.totalTokens > 0);
  if (used.some(({ costDollars }) => costDollars === null)) return null;
  return used.length === 0 ? null : used.reduce((sum, { costDollars }) => sum + (costDollars ?? 0), 0);
}

function ending(startedAt: string, at: number) {
  return { finishedAt: toMoment(at), durationMs: Math.max(0, at - Date.parse(startedAt)) };
}

function usageOf(value: Json): Usage | null {
  return isJsonObject(value) ? (usageSchema.safeParse(value.usage).data ?? null) : null;
}

function add(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}

const maxLength = 64 * 1024;

/** Returns the value; if its JSON exceeds 64 KiB, the start of its text and a note. */
function cutValue(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= maxLength) return value;
  return `${text.slice(0, maxLength)}… (cut: ${text.length} characters in all)`;
}
