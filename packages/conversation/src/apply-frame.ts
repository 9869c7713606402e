import type { Json, MessageAction } from "@weft/client";
import { type Answer, isUnderWay, type ToolCall } from "./answer.ts";

/** One event of a prediction's stream. A reader resumes after `id`. */
export type Frame = { id: string; event: string; data: unknown };

const mostFollowUps = 6;

/**
 * Applies the next frame of a stream to its answer. Repeating a frame changes only text, so a stream resumes after
 * `lastFrameId`. Unknown frames, and data of another shape than expected, change nothing else. `readSources` reads the
 * data of `sourceDocuments`. Source: contract "Stream".
 */
export function applyFrame<Source, Kept extends Answer<Source>>(
  before: Kept,
  frame: Frame,
  readSources: (documents: unknown) => readonly Source[],
): Kept {
  const answer: Kept = { ...before, lastFrameId: frame.id, executionId: executionIdOf(frame) };
  const { data } = frame;
  switch (frame.event) {
    case "start":
      return { ...answer, state: { type: "writing", steps: {} } };
    case "token":
      return { ...answer, text: answer.text + textOf(data) };
    case "restart":
      return { ...answer, text: keptText(answer.text, data) };
    case "nextAgentFlow":
      return { ...answer, ...steppedOn(answer, data) };
    case "calledTools":
      return { ...answer, toolCalls: [...answer.toolCalls, ...listOf(data).map(toRunningCall)] };
    case "usedTools":
      return { ...answer, toolCalls: withResults(answer.toolCalls, listOf(data)) };
    case "sourceDocuments":
      return { ...answer, sources: readSources(data) };
    case "action":
      return isAction(data) ? { ...answer, state: { type: "waiting", action: data } } : answer;
    case "metadata":
      return { ...finished(answer), ...storedAs(data) };
    case "error":
      return { ...answer, state: { type: "failed", failure: { message: textOf(data) } } };
    case "abort":
      return { ...answer, state: { type: "stopped" } };
    case "agentFlowEvent":
      return withFlowState(answer, data);
    case "end":
      return ended(answer);
    default:
      return answer;
  }
}

/** A frame's id is `<executionId>:<seq>`, or `<executionId>:<seq>.<chars>`. */
export function executionIdOf({ id }: { id: string }): string {
  return id.split(":", 1)[0] ?? "";
}

/** The first `keep` characters stay, unless a node wrote them whose text is not the answer's. */
function keptText(text: string, data: unknown): string {
  const { keep, nodeId } = fieldsOf(data);
  return nodeId === undefined && typeof keep === "number" ? text.slice(0, keep) : text;
}

/** A stream opens with `start` or with the state of the flow. After `FINISHED` follow-up messages may still come. */
function withFlowState<Kept extends Answer<unknown>>(answer: Kept, state: unknown): Kept {
  if (state === "INPROGRESS") return { ...answer, state: { type: "writing", steps: {} } };
  return state === "FINISHED" ? { ...answer, state: { type: "writing", steps: {}, isWhole: true } } : answer;
}

/** A stream that ended said how; one that did not failed for an unknown reason. */
function ended<Kept extends Answer<unknown>>(answer: Kept): Kept {
  if (answer.state.type === "writing" && answer.state.isWhole) return finished(answer);
  return isUnderWay(answer) ? { ...answer, state: { type: "failed", failure: { message: "" } } } : answer;
}

/** An answer with metadata is complete, unless it waits: not every stream reports the state of its flow. */
function finished<Kept extends Answer<unknown>>(answer: Kept): Kept {
  return isUnderWay(answer) ? { ...answer, state: { type: "finished" } } : answer;
}

function steppedOn({ state }: Answer<unknown>, data: unknown): Partial<Pick<Answer, "state">> {
  if (state.type !== "writing") return {};
  const { nodeId, nodeLabel, status } = fieldsOf(data);
  const { [textOf(nodeId)]: _, ...others } = state.steps;
  const steps = status === "INPROGRESS" ? { ...others, [textOf(nodeId)]: textOf(nodeLabel) } : others;
  return { state: { ...state, steps } };
}

function toRunningCall(used: unknown): ToolCall {
  return { ...calledIn(used), status: "running" };
}

/** A call with its result, as `usedTools` of a stream or of a stored message has it. */
export function toFinishedCall(used: unknown): ToolCall {
  const { toolOutput, error } = fieldsOf(used);
  const output = textOf(error) || textOf(toolOutput);
  return { ...calledIn(used), status: error === undefined ? "finished" : "failed", output };
}

function calledIn(used: unknown): { tool: string; input: Json } {
  const { tool, toolInput } = fieldsOf(used);
  return { tool: textOf(tool), input: isJson(toolInput) ? toolInput : null };
}

/**
 * Adds the results to calls. `used` has the finished calls of the whole run in the order in which they began; where it
 * has more than this answer, the last ones belong to it.
 */
function withResults(calls: readonly ToolCall[], used: readonly unknown[]): ToolCall[] {
  const results = Map.groupBy(used.map(toFinishedCall), keyOf);
  const counts = Map.groupBy(calls, keyOf);
  for (const [key, entries] of results) results.set(key, entries.slice(-(counts.get(key)?.length ?? 0)));
  return calls.map((call) => results.get(keyOf(call))?.shift() ?? call);
}

function keyOf({ tool, input }: ToolCall): string {
  return JSON.stringify([tool, input]);
}

function storedAs(
  data: unknown,
): Partial<Pick<Answer, "messageId" | "warnings" | "heard" | "followUps" | "takenOver">> {
  const { chatMessageId, question, followUpPrompts, warnings, takenOver } = fieldsOf(data);
  const followUps = followUpsIn(followUpPrompts);
  return {
    warnings: listOf(warnings).map((warning) => textOf(fieldsOf(warning).message)),
    ...(typeof chatMessageId === "string" && { messageId: chatMessageId }),
    ...(typeof question === "string" && question !== "" && { heard: question }),
    ...(followUps.length > 0 && { followUps }),
    ...(typeof takenOver === "object" &&
      takenOver !== null && { takenOver: { name: textOf(fieldsOf(takenOver).name) } }),
  };
}

/** JSON text of a list; other servers write it twice. */
function followUpsIn(prompts: unknown): string[] {
  const texts = listOf(parse(parse(prompts))).filter((one) => typeof one === "string" && one !== "");
  return texts.slice(0, mostFollowUps).map(textOf);
}

function parse(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
}

function isAction(data: unknown): data is MessageAction {
  const { id, mapping } = fieldsOf(data);
  return typeof id === "string" && typeof mapping === "object" && mapping !== null;
}

/** What a frame holds was parsed from JSON; only what is absent is none. */
function isJson(value: unknown): value is Json {
  return value !== undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
