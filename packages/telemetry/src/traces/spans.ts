import {
  type EffectOutcome,
  type Json,
  type RunError,
  type RunEvent,
  type RunEventOf,
  toJsonObject,
} from "@weft/schema";
import { tokensOf } from "../metrics/run-meters.ts";
import {
  contentText,
  describeEffect,
  modelAttributes,
  newMessagesOf,
  type SpanDescription,
  said,
} from "./effect-spans.ts";
import { type Attributes, failed, type OtlpSpan, spanKinds, toNanoseconds, toOtlpAttributes } from "./otlp.ts";
import { spanIdOf, traceIdOf } from "./trace-context.ts";

/** Trace data of a run beside its journal. */
export type TracedFlow = {
  /** The name of the agent. */
  name: string | undefined;
  /** A step as its author made it; undefined if it was deleted. */
  stepOf(nodeId: string): { type: string; label: string } | undefined;
};

export type SpanOptions = {
  /** Whether spans include what people, models and tools say. */
  content: boolean;
};

/**
 * The spans of a run that ended, or stopped to wait, with the last of these events, in the order in which they ended.
 * Spans from before an earlier wait come from the events until then, and are not repeated. The run's own span comes
 * last, when it ends. Unfinished spans end with the run.
 *
 * Deterministic, so that every process makes the same spans from the same journal, with the same ids.
 */
export function spansOf(
  runId: string,
  events: readonly RunEvent[],
  flow: TracedFlow,
  { content }: SpanOptions,
): OtlpSpan[] {
  const [started] = events;
  const last = events.at(-1);
  if (started?.type !== "run-started" || last === undefined) return [];
  const trace = createTrace({ runId, started, shownAfter: lastWaitBefore(events) });
  const walk = createWalk({ trace, runId, started, flow, content });
  for (const event of events) walk.hear(event);
  if (last.type === "run-completed" || last.type === "run-failed" || last.type === "run-cancelled") {
    walk.endAll(last);
    trace.add(describeRun(runId, started, { end: last, flow, content }), {
      key: "",
      from: started.at,
      to: last,
      error: last.type === "run-failed" ? last.error : undefined,
      content,
    });
  }
  return trace.spans;
}

type Started = RunEventOf<"run-started"> & { at: number };
type End = Extract<RunEvent, { type: "run-completed" | "run-failed" | "run-cancelled" }>;

/** Sequence number of the run's last wait before its last event; 0 if there was none. */
function lastWaitBefore(events: readonly RunEvent[]): number {
  return events.slice(0, -1).findLast(({ type }) => type === "run-suspended")?.seq ?? 0;
}

/** A part of a run. `parent`: the key of its parent part; empty: the run. */
type Part = {
  key: string;
  parent?: string;
  from: number;
  to: { at: number; seq: number };
  error?: RunError | undefined;
  content: boolean;
};

function createTrace({ runId, started, shownAfter }: { runId: string; started: Started; shownAfter: number }) {
  const traceId = traceIdOf(runId, started.trace);
  const spans: OtlpSpan[] = [];
  const parentOf = ({ key, parent = "" }: Part) => (key === "" ? started.trace?.parent : spanIdOf(runId, parent));
  return {
    spans,
    add({ name, kind, attributes }: SpanDescription, part: Part): void {
      const { key, from, to, error, content } = part;
      if (to.seq <= shownAfter) return;
      const parentSpanId = parentOf(part);
      const errorType = error?.code ?? attributes["error.type"];
      spans.push({
        traceId,
        spanId: spanIdOf(runId, key),
        ...(parentSpanId !== undefined && { parentSpanId }),
        // Sampled; and whether the parent is of another process is known for certain.
        flags: key === "" && started.trace !== undefined && started.parentRunId === undefined ? 0x301 : 0x101,
        name: name.toWellFormed(),
        kind,
        startTimeUnixNano: toNanoseconds(from),
        // Another process with another clock may have ended it.
        endTimeUnixNano: toNanoseconds(Math.max(from, to.at)),
        attributes: toOtlpAttributes({ ...attributes, "error.type": errorType }),
        status: errorType === undefined ? {} : failed(content ? error?.message : undefined),
      });
    },
  };
}

/** `attempts` counts from the first. `told`: messages of its model calls so far. */
type OpenStep = {
  key: string;
  from: number;
  nodeId: string;
  attempts: number;
  model?: string;
  input: number;
  output: number;
  told: Json[];
};
type OpenEffect = { key: string; from: number; started: RunEventOf<"effect-started">; attempts: number };

type Walked = {
  trace: ReturnType<typeof createTrace>;
  runId: string;
  started: Started;
  flow: TracedFlow;
  content: boolean;
};

/** Follows the steps and effects of a run through its events. */
function createWalk({ trace, started, flow, content }: Walked) {
  const steps = new Map<string, OpenStep>();
  const effects = new Map<string, OpenEffect>();
  /** Number of uses of a key: a retried step has its effects again. */
  const uses = new Map<string, number>();

  function uniqueKey(key: string): string {
    const count = (uses.get(key) ?? 0) + 1;
    uses.set(key, count);
    return count === 1 ? key : `${key}#${count}`;
  }

  function endStep(nodeKey: string, to: Part["to"], error?: RunError): void {
    const step = steps.get(nodeKey);
    if (step === undefined) return;
    steps.delete(nodeKey);
    const parent = parentStepOf(nodeKey);
    trace.add(describeStep(nodeKey, step, { flow, conversationId: started.sessionId }), {
      key: step.key,
      parent: (parent !== undefined && steps.get(parent)?.key) || "",
      from: step.from,
      to,
      error,
      content,
    });
  }

  function endEffect(id: string, to: Part["to"], outcome?: EffectOutcome): void {
    const effect = effects.get(id);
    if (effect === undefined) return;
    effects.delete(id);
    const { nodeKey } = effect.started;
    const step = steps.get(nodeKey);
    const isChat = effect.started.category === "model";
    if (isChat) step?.told.push(...newMessagesOf(effect.started));
    const facts = { started: effect.started, outcome, conversationId: started.sessionId };
    const told = content ? [...(step?.told ?? [])] : undefined;
    const described = describeEffect({ ...facts, told });
    const retries = effect.attempts > 1 ? { "weft.effect.attempts": effect.attempts } : {};
    trace.add(
      { ...described, attributes: { ...described.attributes, ...retries } },
      {
        key: effect.key,
        parent: step?.key ?? "",
        from: effect.from,
        to,
        error: outcome?.ok === false ? outcome.error : undefined,
        content,
      },
    );
    if (!isChat || step === undefined || outcome?.ok !== true) return;
    const { input, output } = tokensOf(outcome.value);
    step.model = effect.started.name;
    step.input += input;
    step.output += output;
    step.told.push(said(toJsonObject(outcome.value)));
  }

  function startStep({ nodeKey, nodeId, at, attempt }: RunEventOf<"node-started"> & { at: number }): void {
    const step = steps.get(nodeKey);
    if (step !== undefined) step.attempts = attempt;
    else {
      const key = uniqueKey(nodeKey);
      steps.set(nodeKey, { key, from: at, nodeId, attempts: attempt, input: 0, output: 0, told: [] });
    }
  }

  function startEffect(event: RunEventOf<"effect-started"> & { at: number }): void {
    const id = `${event.nodeKey}:${event.effectKey}`;
    const effect = effects.get(id);
    if (effect !== undefined) effect.attempts = event.attempt;
    else effects.set(id, { key: uniqueKey(id), from: event.at, started: event, attempts: event.attempt });
  }

  return {
    hear(event: RunEvent): void {
      if (event.type === "node-started") startStep(event);
      else if (event.type === "effect-started") startEffect(event);
      else if (event.type === "node-completed") endStep(event.nodeKey, event);
      else if (event.type === "node-failed" && event.next.type !== "retry") endStep(event.nodeKey, event, event.error);
      else if (event.type === "effect-finished" && event.retryAfterMs === undefined)
        endEffect(`${event.nodeKey}:${event.effectKey}`, event, event.outcome);
    },
    /** Innermost first: a span never lacks the parent that it names. */
    endAll(to: Part["to"]): void {
      for (const id of [...effects.keys()]) endEffect(id, to);
      for (const nodeKey of [...steps.keys()].toReversed()) endStep(nodeKey, to);
    },
  };
}

/** The step whose item a step belongs to: `each#1` of `each#1[3]/llm#1`. */
function parentStepOf(nodeKey: string): string | undefined {
  return /^(.*)\[\d+\]\/[^/]*$/s.exec(nodeKey)?.[1];
}

function describeStep(
  nodeKey: string,
  step: OpenStep,
  { flow, conversationId }: { flow: TracedFlow; conversationId: string },
): SpanDescription {
  const { type, label = step.nodeId } = flow.stepOf(step.nodeId) ?? {};
  const own: Attributes = {
    "weft.step.key": nodeKey,
    "weft.step.type": type,
    "weft.step.attempts": step.attempts > 1 ? step.attempts : undefined,
  };
  if (type !== "agent") return { name: `step ${label}`, kind: spanKinds.internal, attributes: own };
  return {
    name: `invoke_agent ${label}`,
    kind: spanKinds.internal,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": label,
      "gen_ai.conversation.id": conversationId,
      ...(step.model !== undefined && {
        ...modelAttributes(step.model),
        "gen_ai.usage.input_tokens": step.input,
        "gen_ai.usage.output_tokens": step.output,
      }),
      ...own,
    },
  };
}

function describeRun(
  runId: string,
  { agentId, flowVersionId, sessionId, input }: Started,
  { end, flow, content }: { end: End; flow: TracedFlow; content: boolean },
): SpanDescription {
  const name = flow.name ?? agentId;
  const message = (role: string, text: string) => [{ role, parts: [{ type: "text", content: text }] }];
  return {
    name: `invoke_workflow ${name}`,
    kind: spanKinds.internal,
    attributes: {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": name,
      "gen_ai.conversation.id": sessionId,
      "weft.run.id": runId,
      "weft.run.state": end.type.slice("run-".length),
      "weft.agent.id": agentId,
      "weft.flow.version": flowVersionId,
      ...(content && {
        "gen_ai.input.messages":
          input.question === undefined ? undefined : contentText(message("user", input.question)),
        "gen_ai.output.messages":
          end.type === "run-completed"
            ? contentText([{ ...message("assistant", end.text)[0], finish_reason: "stop" }])
            : undefined,
      }),
    },
  };
}
