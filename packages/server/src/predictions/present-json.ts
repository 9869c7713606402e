import { agentReasoningOf, runFactsOf } from "@weft/chats";
import { type CompiledFlow, openQuestions, openWaits, type RunOutcome, type RunState } from "@weft/engine";
import { toAction, toExecutedData, turnOf } from "@weft/run-host";
import {
  isErrorCode,
  type PredictionResult,
  type RunError,
  type RunEvent,
  type RunInput,
  type Upstream,
  WeftError,
} from "@weft/schema";
import { toVisibleEvents, toVisibleTools } from "./visitor-events.ts";

export type Answered = { runId: string; state: RunState; flow: CompiledFlow; events: readonly RunEvent[] };

/** The answer of a run that completed, or the question of one that waits, or what it waits for. Throws what the run failed with: a `flow-*`, `model-*` or `tool-*` error. */
export function presentJson(answered: Answered, outcome: RunOutcome): PredictionResult {
  const { runId, state, flow } = answered;
  const { started } = state;
  const events = toVisibleEvents(runId, answered.events);
  if (outcome === "stopped" || outcome === "lost" || !started) throw goesOn(runId);
  if (outcome !== "completed" && outcome !== "suspended") throw toPredictionError(answered, endError(events));
  const outputs = [...state.outputs.values()].map(({ output }) => output);
  const { usedTools, ...facts } = runFactsOf(flow, outputs, state.answer?.nodeKey);
  return {
    ...(outcome === "completed" ? answerOf(state) : questionOf(state, flow)),
    ...askedOf(started.input, events),
    chatId: started.chatId,
    chatMessageId: turnOf(events)?.apiMessageId ?? started.apiMessageId,
    sessionId: started.sessionId,
    ...facts,
    usedTools: toVisibleTools(runId, started, usedTools),
    agentReasoning: agentReasoningOf(flow, events),
    executionId: runId,
    agentFlowExecutedData: toExecutedData(flow, events),
    usage: state.usage,
    metadata: { warnings: [...state.warnings] },
  };
}

/** The error for an accepted run that this process has lost. */
export function goesOn(executionId: string, cause?: unknown): WeftError {
  return new WeftError("run-goes-on", { params: { executionId }, executionId, cause });
}

function answerOf({ answer }: RunState): Pick<PredictionResult, "text" | "json"> {
  return { text: answer?.text ?? "", ...(answer?.json === undefined ? {} : { json: answer.json }) };
}

/** What a human was asked last; where nobody is asked, what the run waits for. */
function questionOf(state: RunState, flow: CompiledFlow): Pick<PredictionResult, "text" | "action"> {
  const asked = openQuestions(state).at(-1);
  if (asked) return { text: asked.wait.text, action: toAction(flow, asked.wait) };
  return { text: openWaits(state).at(-1)?.wait.text ?? "" };
}

/** The question or form that the run began with, or the words of the last answer that it was given. */
function askedOf(
  { question, form }: RunInput,
  events: readonly RunEvent[],
): Pick<PredictionResult, "question" | "form"> {
  const resumed = events.findLast((event) => event.type === "node-resumed" && event.turn !== undefined);
  const said = resumed?.type === "node-resumed" ? resumed.turn?.content : question;
  return { question: said ?? "", ...(form === undefined ? {} : { form }) };
}

/** What the run ended with, as its last event says. */
export function endError(events: readonly RunEvent[]): RunError {
  const end = events.at(-1);
  if (end?.type === "run-failed") return end.error;
  const { code, message, retryable } = new WeftError("flow-cancelled");
  return { code, message, retryable };
}

/**
 * A failed run as an error of the prediction row: 500, with the code of what failed. Nobody is invited to repeat what had
 * an effect already (G15).
 */
function toPredictionError({ runId, events }: Answered, error: RunError): WeftError {
  const isOfRow = /^(flow|model|tool)-/.test(error.code) || error.code === "internal";
  const code = isOfRow && isErrorCode(error.code) ? error.code : "flow-node-failed";
  const hasActed = events.some((event) => event.type === "effect-started" && event.kind === "write");
  return new WeftError(code, {
    message: error.message,
    retryable: error.retryable && !hasActed,
    executionId: runId,
    ...(error.upstream ? { upstream: toUpstream(error.upstream) } : {}),
  });
}

function toUpstream({ status, retryAfterSeconds }: NonNullable<RunError["upstream"]>): Upstream {
  return retryAfterSeconds === undefined ? { status } : { status, retryAfterSeconds };
}
