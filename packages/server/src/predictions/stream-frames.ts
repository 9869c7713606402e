import type { CompiledFlow, TextDelta } from "@weft/engine";
import type { Frame } from "@weft/http";
import { toAction, toExecutedData, waitsOf } from "@weft/run-host";
import { asJson, isTerminalEvent, type Json, type JsonObject, type RunEvent, type RunEventOf } from "@weft/schema";
import {
  agentReasoningOf,
  fileAnnotationsOf,
  isReasoningStep,
  memoryTypeOf,
  sourceDocumentsOf,
} from "../chat-messages/index.ts";
import { endError } from "./present-json.ts";
import type { TextFrame } from "./stream-messages.ts";
import { frameToCome, invalidEventId, type StreamPosition, toEventId } from "./stream-position.ts";
import { createStreamText } from "./stream-text.ts";
import { toVisibleEvent } from "./visitor-events.ts";

export type FrameWriter = {
  /** The next events of the journal. */
  events(events: readonly RunEvent[]): Frame[];
  delta(delta: TextDelta): Frame[];
  /**
   * Begins for a client that has read up to `position`, with all events up to there: what it misses of the last one.
   * Throws `parameters-invalid` when no frame has that position.
   */
  resume(position: StreamPosition, events: readonly RunEvent[]): Frame[];
};

type Run = { runId: string; flow: CompiledFlow };

/**
 * Turns what happens in a run into the frames of its stream, in the order that existing clients expect. The frames
 * follow from the journal alone; deltas only bring the text of a message earlier and in smaller pieces.
 * Source: contract "Stream".
 */
export function createFrameWriter(run: Run): FrameWriter {
  const journal: RunEvent[] = [];
  const usedTools: JsonObject[] = [];
  const text = createStreamText(() => waitsOf(run.flow, journal).at(-1)?.wait.text ?? "");

  const idAt = (progress: number) => toEventId(run.runId, { seq: journal.at(-1)?.seq ?? 0, progress });
  const toFrame = ({ chars, ...frame }: TextFrame): Frame => ({ id: idAt(chars), ...frame });

  function write(recorded: RunEvent): { before: Frame[]; own: Frame[] } {
    const event = toVisibleEvent(run.runId, journal[0] ?? recorded, recorded);
    const before = text.before(event).map(toFrame);
    journal.push(event);
    const chars = text.chars();
    const own = framesOf(run, journal, event, usedTools).map(([name, data], index, { length }) => {
      const progress = isBoundary(event) ? chars + index : chars + (length - 1 - index) * frameToCome;
      return { id: idAt(progress), event: name, data };
    });
    return { before, own };
  }

  return {
    events: (events) =>
      events.flatMap((event) => {
        const { before, own } = write(event);
        return [...before, ...own];
      }),
    delta: (delta) => text.piece(delta).map(toFrame),
    resume({ seq, progress }, events) {
      const read = events.filter((event) => event.seq <= seq).map((event) => ({ event, frames: write(event).own }));
      const last = read.at(-1);
      if (last?.event.seq !== seq) throw invalidEventId(run.runId);
      if (!isBoundary(last.event)) {
        const toCome = Math.floor(progress / frameToCome);
        const missed = last.frames.slice(Math.max(last.frames.length - toCome, 0));
        return [...missed, ...text.resumeAt(progress % frameToCome).map(toFrame)];
      }
      if (progress >= last.frames.length) throw invalidEventId(run.runId);
      return last.frames.slice(progress + 1);
    },
  };
}

/** Whether a stream begins or ends there: such events have several frames, and no message is being written then. */
function isBoundary(event: RunEvent): boolean {
  return ["run-started", "node-resumed", "run-suspended"].includes(event.type) || isTerminalEvent(event);
}

/** The frames of an event besides text. `journal` ends with it. */
function framesOf(
  run: Run,
  journal: readonly RunEvent[],
  event: RunEvent,
  usedTools: JsonObject[],
): (readonly [string, Json])[] {
  switch (event.type) {
    case "run-started":
      return openingFrames(journal);
    case "node-resumed":
      return [
        ...openingFrames(journal),
        ["nextAgentFlow", { ...nodeOf(run.flow, event.nodeId), status: "INPROGRESS" }],
      ];
    case "node-started":
      return [["nextAgentFlow", { ...nodeOf(run.flow, event.nodeId), status: "INPROGRESS" }]];
    case "node-suspended":
      return [["nextAgentFlow", { ...nodeOf(run.flow, event.nodeId), status: "STOPPED" }]];
    case "effect-started":
    case "effect-finished":
      return toolFrames(event, usedTools);
    case "node-completed":
      return [
        ["nextAgentFlow", { ...nodeOf(run.flow, event.nodeId), status: "FINISHED" }],
        ...(isReasoningStep(run.flow, event) ? reasoningFrames(run, journal) : []),
      ];
    case "node-failed":
      if (event.next.type === "retry") return [];
      return [["nextAgentFlow", { ...nodeOf(run.flow, event.nodeId), status: "ERROR", error: event.error.message }]];
    case "run-suspended":
      return suspendedFrames(run, journal);
    case "run-completed":
      return completedFrames(run, journal, event);
    case "run-failed":
      return [
        ["agentFlowExecutedData", executedData(run, journal)],
        ...stateFrames(journal, "ERROR"),
        ["error", endError([event]).message],
        ["end", "[DONE]"],
      ];
    case "run-cancelled":
      return [...stateFrames(journal, "TERMINATED"), ["abort", "[DONE]"], ["end", "[DONE]"]];
    default:
      return [];
  }
}

type FlowState = "INPROGRESS" | "FINISHED" | "STOPPED" | "ERROR" | "TERMINATED";

/** One frame: existing widgets open a bubble at `start`, and another one at a flow's first state. */
function openingFrames(journal: readonly RunEvent[]): (readonly [string, Json])[] {
  return isShownAsFlow(journal) ? stateFrames(journal, "INPROGRESS") : [["start", ""]];
}

/** The state of the whole flow, for agents whose streams tell it. */
function stateFrames(journal: readonly RunEvent[], state: FlowState): (readonly [string, Json])[] {
  return isShownAsFlow(journal) ? [["agentFlowEvent", state]] : [];
}

function isShownAsFlow([started]: readonly RunEvent[]): boolean {
  const type = started?.type === "run-started" ? (started.agentType ?? "AGENTFLOW") : "AGENTFLOW";
  return type === "AGENTFLOW" || type === "MULTIAGENT";
}

function nodeOf(flow: CompiledFlow, nodeId: string): JsonObject {
  return { nodeId, nodeLabel: flow.graph.nodes.get(nodeId)?.label ?? nodeId };
}

/** `calledTools` when a call begins and `usedTools`, all of them so far, when it ends. */
function toolFrames(event: RunEventOf<"effect-started" | "effect-finished">, used: JsonObject[]): [string, Json][] {
  if (event.type === "effect-started") {
    if (event.category !== "tool") return [];
    used.push({ tool: event.name, toolInput: event.input, toolOutput: "", call: callOf(event) });
    return [["calledTools", [{ tool: event.name, toolInput: event.input, toolOutput: "" }]]];
  }
  const called = used.find((entry) => entry.call === callOf(event));
  if (!called) return [];
  const { outcome } = event;
  const value = outcome.ok ? (outcome.value as JsonObject) : { content: outcome.error.message, isError: true };
  called.toolOutput = value.content ?? "";
  if (value.isError === true) called.error = value.content ?? "";
  return [["usedTools", used.filter(({ toolOutput }) => toolOutput !== "").map(({ call: _call, ...tool }) => tool)]];
}

function callOf(event: { nodeKey: string; effectKey: string }): string {
  return `${event.nodeKey}:${event.effectKey}`;
}

function completedFrames(
  run: Run,
  journal: readonly RunEvent[],
  { usage, answerNodeKey }: RunEventOf<"run-completed">,
): (readonly [string, Json])[] {
  const { inputTokens, outputTokens, totalTokens } = usage;
  return [
    ["agentFlowExecutedData", executedData(run, journal)],
    ["usageMetadata", { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens }],
    ...reasoningFrames(run, journal),
    ...sourceFrames(journal),
    ...stateFrames(journal, "FINISHED"),
    ["metadata", metadata(run, journal, answerNodeKey)],
    ["end", "[DONE]"],
  ];
}

/** What was asked last of what the run waits for. Its words are text. */
function suspendedFrames(run: Run, journal: readonly RunEvent[]): (readonly [string, Json])[] {
  const last = waitsOf(run.flow, journal).at(-1);
  return [
    ...(last ? [["action", asJson(toAction(run.flow, last.wait))] as const] : []),
    ["agentFlowExecutedData", executedData(run, journal)],
    ...stateFrames(journal, "STOPPED"),
    ["metadata", metadata(run, journal, null)],
    ["end", "[DONE]"],
  ];
}

/** All steps of agents so far; again at the end, for a client that reconnected in between. */
function reasoningFrames({ flow }: Run, journal: readonly RunEvent[]): [string, Json][] {
  const steps = agentReasoningOf(flow, journal);
  return steps.length === 0 ? [] : [["agentReasoning", asJson(steps)]];
}

function sourceFrames(journal: readonly RunEvent[]): [string, Json][] {
  const outputs = journal.flatMap((event) => (event.type === "node-completed" ? [event.output] : []));
  const documents = sourceDocumentsOf(outputs);
  const files = fileAnnotationsOf(outputs);
  return [
    ...(documents.length === 0 ? [] : ([["sourceDocuments", documents]] satisfies [string, Json][])),
    ...(files.length === 0 ? [] : ([["fileAnnotations", files]] satisfies [string, Json][])),
  ];
}

function executedData(run: Run, journal: readonly RunEvent[]): Json {
  return toExecutedData(run.flow, journal);
}

/** What was asked, and the id of the message that answers it. */
function askedOf(journal: readonly RunEvent[], { input, apiMessageId }: RunEventOf<"run-started">) {
  const resumed = journal.findLast((event) => event.type === "node-resumed");
  if (resumed?.type !== "node-resumed" || !resumed.turn) return { question: input.question, apiMessageId };
  return { question: resumed.turn.content, apiMessageId: resumed.turn.apiMessageId };
}

function metadata(run: Run, journal: readonly RunEvent[], answerNodeKey: string | null): JsonObject {
  const [started] = journal;
  if (started?.type !== "run-started") return {};
  const { chatId, sessionId } = started;
  const { question, apiMessageId } = askedOf(journal, started);
  const warnings = journal.flatMap((event) =>
    event.type === "run-warned" ? [{ code: event.code, message: event.message }] : [],
  );
  return {
    chatId,
    chatMessageId: apiMessageId,
    question: question ?? "",
    sessionId,
    memoryType: memoryTypeOf(run.flow, answerNodeKey),
    executionId: run.runId,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
