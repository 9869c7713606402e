import type { CompiledFlow, RunHandle, RunOutcome } from "@weft/engine";
import {
  isErrorCode,
  type PredictionResult,
  type RunError,
  type RunEvent,
  type Upstream,
  WeftError,
} from "@weft/schema";
import { toExecutedData } from "../runs/executed-data.ts";
import { memoryTypeOf, usedToolsOf } from "../runs/run-facts.ts";

export type Answered = { handle: RunHandle; flow: CompiledFlow; events: readonly RunEvent[] };

/** The answer of a run that completed. Throws what the run failed with: a `flow-*`, `model-*` or `tool-*` error. */
export function presentJson({ handle, flow, events }: Answered, outcome: RunOutcome): PredictionResult {
  const { state, runId } = handle;
  const { started } = state;
  if (outcome === "stopped" || outcome === "lost" || !started) throw new WeftError("shutting-down");
  if (outcome !== "completed") throw toPredictionError(endError(events));
  const { question, form } = started.input;
  return {
    text: state.answer?.text ?? "",
    ...(state.answer?.json === undefined ? {} : { json: state.answer.json }),
    ...(question === undefined ? {} : { question }),
    ...(form === undefined ? {} : { form }),
    chatId: started.chatId,
    chatMessageId: started.apiMessageId,
    sessionId: started.sessionId,
    memoryType: memoryTypeOf(flow, state),
    sourceDocuments: [],
    usedTools: usedToolsOf(state),
    executionId: runId,
    agentFlowExecutedData: toExecutedData(flow, events),
    usage: state.usage,
    metadata: { warnings: [...state.warnings] },
  };
}

/** What the run ended with, as its last event says. */
export function endError(events: readonly RunEvent[]): RunError {
  const end = events.at(-1);
  if (end?.type === "run-failed") return end.error;
  const { code, message, retryable } = new WeftError("flow-cancelled");
  return { code, message, retryable };
}

/** A failed run as an error of the prediction row: 500, with the code of what failed. */
function toPredictionError(error: RunError): WeftError {
  const isOfRow = /^(flow|model|tool)-/.test(error.code) || error.code === "internal";
  const code = isOfRow && isErrorCode(error.code) ? error.code : "flow-node-failed";
  const { message, retryable } = error;
  return new WeftError(code, {
    message,
    retryable,
    ...(error.upstream ? { upstream: toUpstream(error.upstream) } : {}),
  });
}

function toUpstream({ status, retryAfterSeconds }: NonNullable<RunError["upstream"]>): Upstream {
  return retryAfterSeconds === undefined ? { status } : { status, retryAfterSeconds };
}
