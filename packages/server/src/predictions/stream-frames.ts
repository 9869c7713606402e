import { agentReasoningOf, isReasoningStep, type RunFacts, runFactsOf } from "@weft/chats";
import type { CompiledFlow } from "@weft/engine";
import type { TextDelta } from "@weft/engine/ports/observer";
import type { Frame } from "@weft/http/event-stream";
import { questionsOf, toAction, toExecutedData, waitsOf } from "@weft/run-host";
import {
  asJson,
  endsAnswer,
  type Json,
  type JsonObject,
  type RunEvent,
  type RunEventOf,
  type Wait,
  WeftError,
} from "@weft/schema";
import { endError, toVisibleEvent } from "./present-json.ts";
import { createStreamText, type TextFrame } from "./stream-text.ts";

export type FrameWriter = {
  /** Frames for the next events of the journal. */
  events(events: readonly RunEvent[]): Frame[];
  delta(delta: TextDelta): Frame[];
  /**
   * Starts for a client that has read up to `position`, with all events up to there: returns what it misses of the last
   * one.
   * Throws `parameters-invalid` if no frame has that position.
   */
  resume(position: StreamPosition, events: readonly RunEvent[]): Frame[];
};

type Run = { runId: string; flow: CompiledFlow };

/**
 * Converts a run's events to the frames of its stream, in the order that existing clients expect. The frames follow
 * from the journal alone; deltas only bring the text of a message earlier and in smaller pieces.
 * Source: contract "Stream".
 */
export function createFrameWriter(run: Run): FrameWriter {
  const journal: RunEvent[] = [];
  const usedTools: JsonObject[] = [];
  const text = createStreamText(() => lastWaitOf(run, journal)?.text ?? "");

  const idAt = (progress: number) => toEventId(run.runId, { seq: journal.at(-1)?.seq ?? 0, progress });
  const toFrame = ({ chars, ...frame }: TextFrame): Frame => ({ id: idAt(chars), ...frame });

  function write(recorded: RunEvent): { before: Frame[]; own: Frame[] } {
    const event = toVisibleEvent(run.runId, journal[0] ?? recorded, recorded);
    const before = text.before(event).map(toFrame);
    journal.push(event);
    const chars = text.chars();
    const own = framesOf(run, journal, event, usedTools).map(([name, data], index, { length }) => {
      const progress = isBoundary(journal) ? chars + index : chars + (length - 1 - index) * frameToCome;
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
      if (!isBoundary(journal)) {
        const toCome = Math.floor(progress / frameToCome);
        const missed = last.frames.slice(Math.max(last.frames.length - toCome, 0));
        return [...missed, ...text.resumeAt(progress % frameToCome).map(toFrame)];
      }
      if (progress >= last.frames.length) throw invalidEventId(run.runId);
      return last.frames.slice(progress + 1);
    },
  };
}

/**
 * Whether a stream starts or ends with the last of these events: such events have several frames, and no message is
 * being written then.
 */
function isBoundary(journal: readonly RunEvent[]): boolean {
  const last = journal.at(-1);
  return last !== undefined && (last.type === "run-started" || opensAgain(journal) || endsAnswer(last));
}

/** Whether the last event resumes a run whose caller was answered: with it another answer starts. */
function opensAgain(journal: readonly RunEvent[]): boolean {
  const before = journal.at(-2);
  return journal.at(-1)?.type === "node-resumed" && before?.type === "run-suspended" && endsAnswer(before);
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
        ...(opensAgain(journal) ? openingFrames(journal) : []),
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
      return endsAnswer(event) ? suspendedFrames(run, journal) : [];
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

/** The state of the whole flow, for agents whose streams include it. */
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

/** `calledTools` when a call starts and `usedTools`, all of them so far, when it ends. */
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
  { usage, answerNodeKey, text }: RunEventOf<"run-completed">,
): (readonly [string, Json])[] {
  const { inputTokens, outputTokens, totalTokens } = usage;
  const facts = factsOf(run, journal, { text, nodeKey: answerNodeKey });
  return [
    ["agentFlowExecutedData", executedData(run, journal)],
    ["usageMetadata", { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens }],
    ...reasoningFrames(run, journal),
    ...sourceFrames(facts),
    ...stateFrames(journal, "FINISHED"),
    ["metadata", metadata(run, journal, facts)],
    ["end", "[DONE]"],
  ];
}

/** The last question to a human; if nobody is asked, what the run waits for. */
function lastWaitOf({ flow }: Run, journal: readonly RunEvent[]): Wait | undefined {
  return (questionsOf(flow, journal).at(-1) ?? waitsOf(flow, journal).at(-1))?.wait;
}

/** The last question to a human, as text. */
function suspendedFrames(run: Run, journal: readonly RunEvent[]): (readonly [string, Json])[] {
  const last = questionsOf(run.flow, journal).at(-1);
  return [
    ...(last ? [["action", asJson(toAction(run.flow, last.wait))] as const] : []),
    ["agentFlowExecutedData", executedData(run, journal)],
    ...stateFrames(journal, "STOPPED"),
    ["metadata", metadata(run, journal, factsOf(run, journal, { text: "" }))],
    ["end", "[DONE]"],
  ];
}

/** All steps of agents so far; repeated at the end, for a client that reconnected in between. */
function reasoningFrames({ flow }: Run, journal: readonly RunEvent[]): [string, Json][] {
  const steps = agentReasoningOf(flow, journal);
  return steps.length === 0 ? [] : [["agentReasoning", asJson(steps)]];
}

function factsOf({ flow }: Run, journal: readonly RunEvent[], answer: Parameters<typeof runFactsOf>[2]): RunFacts {
  const outputs = journal.flatMap((event) => (event.type === "node-completed" ? [event.output] : []));
  return runFactsOf(flow, outputs, answer);
}

function sourceFrames({ sourceDocuments, fileAnnotations }: RunFacts): [string, Json][] {
  return [
    ...(sourceDocuments.length === 0 ? [] : ([["sourceDocuments", sourceDocuments]] satisfies [string, Json][])),
    ...(fileAnnotations.length === 0 ? [] : ([["fileAnnotations", fileAnnotations]] satisfies [string, Json][])),
  ];
}

function executedData(run: Run, journal: readonly RunEvent[]): Json {
  return toExecutedData(run.flow, journal);
}

/** The question, and the id of the message that answers it. */
function askedOf(journal: readonly RunEvent[], { input, apiMessageId }: RunEventOf<"run-started">) {
  const resumed = journal.findLast((event) => event.type === "node-resumed" && event.turn !== undefined);
  if (resumed?.type !== "node-resumed" || !resumed.turn) return { question: input.question, apiMessageId };
  return { question: resumed.turn.content, apiMessageId: resumed.turn.apiMessageId };
}

function metadata(run: Run, journal: readonly RunEvent[], { memoryType }: RunFacts): JsonObject {
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
    memoryType,
    executionId: run.runId,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/**
 * How far a client has read a stream: the event `seq`, and `progress` more. After an event that starts or ends the run,
 * that counts further frames of this event; after any other it counts the characters (UTF-16 code units) of the
 * answer's message in progress, and `frameToCome` for each frame of the next event. No event is of both kinds, so an id
 * has one meaning.
 */
export type StreamPosition = { seq: number; progress: number };

/** More than any message has characters. */
const frameToCome = 10 ** 12;

/** Id of a frame: `<executionId>:<seq>`, or `<executionId>:<seq>.<progress>`. Source: contract "Stream". */
function toEventId(runId: string, { seq, progress }: StreamPosition): string {
  return progress === 0 ? `${runId}:${seq}` : `${runId}:${seq}.${progress}`;
}

/** Parses the id of a frame of this run. Throws `parameters-invalid`. */
export function parseEventId(text: string, runId: string): StreamPosition {
  const [, id, seq, progress = "0"] = /^(.{1,100}):([1-9]\d{0,14})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  if (id !== runId || seq === undefined) throw invalidEventId(runId);
  return { seq: Number(seq), progress: Number(progress) };
}

function invalidEventId(runId: string): WeftError {
  const reason = `Last-Event-ID must be the id of an event in this execution's stream, for example ${runId}:1. Omit it to read the stream from the start.`;
  return new WeftError("parameters-invalid", { params: { reason } });
}
