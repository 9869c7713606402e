import type { PredictionFrame, UsedTool } from "@weft/client";
import { type Answer, type ToolCall, toFinishedCall, unknownFailure } from "./conversation.ts";

/**
 * Applies the next frame of a stream to its answer. Repeating a frame changes only text, so a stream resumes after
 * `lastFrameId`. Frames unknown to this version are ignored. Source: contract "Stream".
 */
export function applyFrame(before: Answer, frame: PredictionFrame): Answer {
  const answer = { ...before, lastFrameId: frame.id, executionId: executionIdOf(frame) };
  switch (frame.event) {
    case "start":
      return { ...answer, state: { type: "writing", steps: {} } };
    case "token":
      return { ...answer, text: answer.text + frame.data };
    case "restart":
      return frame.data.nodeId === undefined ? { ...answer, text: answer.text.slice(0, frame.data.keep) } : answer;
    case "nextAgentFlow":
      return withStep(answer, frame.data);
    case "calledTools":
      return { ...answer, toolCalls: [...answer.toolCalls, ...frame.data.map(toRunningCall)] };
    case "usedTools":
      return { ...answer, toolCalls: withResults(answer.toolCalls, frame.data) };
    case "sourceDocuments":
      return { ...answer, documents: frame.data };
    case "action":
      return { ...answer, state: { type: "waiting", action: frame.data } };
    case "metadata":
      return { ...finished(answer), messageId: frame.data.chatMessageId, warnings: warningsOf(frame.data) };
    case "error":
      return { ...answer, state: { type: "failed", failure: { message: frame.data } } };
    case "abort":
      return { ...answer, state: { type: "stopped" } };
    case "agentFlowEvent":
      return withFlowState(answer, frame.data);
    case "end":
      return ended(answer);
    default:
      return answer;
  }
}

/** A stream opens with `start` or with the state of the flow. */
function withFlowState(answer: Answer, state: string): Answer {
  if (state === "INPROGRESS") return { ...answer, state: { type: "writing", steps: {} } };
  return state === "FINISHED" ? { ...answer, state: { type: "finished" } } : answer;
}

/** An answer with metadata is complete, unless it waits: not every stream reports the state of its flow. */
function finished(answer: Answer): Answer {
  const isOpen = answer.state.type === "writing" || answer.state.type === "sending";
  return isOpen ? { ...answer, state: { type: "finished" } } : answer;
}

/** A frame's id is `<executionId>:<seq>`, or `<executionId>:<seq>.<chars>`. */
export function executionIdOf({ id }: Pick<PredictionFrame, "id">): string {
  return id.split(":", 1)[0] ?? "";
}

/** A stream that ended reports how; one that does not has failed for an unknown reason. */
function ended(answer: Answer): Answer {
  if (answer.state.type !== "writing" && answer.state.type !== "sending") return answer;
  return { ...answer, state: { type: "failed", failure: unknownFailure } };
}

function withStep(
  answer: Answer,
  { nodeId, nodeLabel, status }: { nodeId: string; nodeLabel: string; status: string },
) {
  if (answer.state.type !== "writing") return answer;
  const { [nodeId]: _, ...others } = answer.state.steps;
  const steps = status === "INPROGRESS" ? { ...others, [nodeId]: nodeLabel } : others;
  return { ...answer, state: { ...answer.state, steps } };
}

function toRunningCall({ tool, toolInput }: UsedTool): ToolCall {
  return { tool, input: toolInput, status: "running" };
}

/**
 * Adds the results to calls. `used` contains the finished calls of the whole run in the order they started; if it has
 * more than this answer, the last ones belong to it.
 */
function withResults(calls: readonly ToolCall[], used: readonly UsedTool[]): ToolCall[] {
  const results = Map.groupBy(used, ({ tool, toolInput }) => keyOf(tool, toolInput));
  const counts = Map.groupBy(calls, ({ tool, input }) => keyOf(tool, input));
  for (const [key, entries] of results) results.set(key, entries.slice(-(counts.get(key)?.length ?? 0)));
  return calls.map((call) => {
    const result = results.get(keyOf(call.tool, call.input))?.shift();
    return result === undefined ? call : toFinishedCall(result);
  });
}

function keyOf(tool: string, input: ToolCall["input"]): string {
  return JSON.stringify([tool, input]);
}

function warningsOf(metadata: object): string[] {
  const { warnings } = metadata as { warnings?: { message: string }[] };
  return warnings?.map(({ message }) => message) ?? [];
}
