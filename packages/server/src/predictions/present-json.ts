import { agentReasoningOf, runFactsOf } from "@weft/chats";
import { type CompiledFlow, openQuestions, openWaits, type RunOutcome, type RunState, turnText } from "@weft/engine";
import { toAction, toExecutedData, turnOf } from "@weft/run-host";
import {
  isErrorCode,
  type JsonObject,
  type PredictionResult,
  type RunError,
  type RunEvent,
  type RunInput,
  type Upstream,
  WeftError,
} from "@weft/schema";

export type Answered = { runId: string; state: RunState; flow: CompiledFlow; events: readonly RunEvent[] };

/**
 * The answer of a completed run, or what a waiting run asks or waits for. Throws a failed run's error: `flow-*`,
 * `model-*` or `tool-*`.
 */
export function presentJson(answered: Answered, outcome: RunOutcome): PredictionResult {
  const { runId, state, flow } = answered;
  const { started } = state;
  const events = toVisibleEvents(runId, answered.events);
  if (outcome === "stopped" || outcome === "lost" || !started) throw goesOn(runId);
  if (outcome !== "completed" && outcome !== "suspended") throw toPredictionError(answered, endError(events));
  const outputs = [...state.outputs.values()].map(({ output }) => output);
  const answer = outcome === "completed" ? answerOf(state) : questionOf(state, flow);
  const { usedTools, ...facts } = runFactsOf(flow, outputs, { text: answer.text, nodeKey: state.answer?.nodeKey });
  return {
    ...answer,
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

function answerOf(state: RunState) {
  const { json } = state.answer ?? {};
  return { text: turnText(state), ...(json === undefined ? {} : { json }) };
}

/** The last question to a human; if nobody is asked, what the run waits for. */
function questionOf(state: RunState, flow: CompiledFlow) {
  const asked = openQuestions(state).at(-1);
  if (asked) return { text: turnText(state, asked.wait.text), action: toAction(flow, asked.wait) };
  return { text: turnText(state, openWaits(state).at(-1)?.wait.text ?? "") };
}

/** The run's initial question or form, or the text of the last answer that it received. */
function askedOf({ question, form }: RunInput, events: readonly RunEvent[]) {
  const resumed = events.findLast((event) => event.type === "node-resumed" && event.turn !== undefined);
  const said = resumed?.type === "node-resumed" ? resumed.turn?.content : question;
  return { question: said ?? "", ...(form === undefined ? {} : { form }) };
}

/** The run's error, from its last event. */
export function endError(events: readonly RunEvent[]): RunError {
  const end = events.at(-1);
  if (end?.type === "run-failed") return end.error;
  const { code, message, retryable } = new WeftError("flow-cancelled");
  return { code, message, retryable };
}

/**
 * A failed run as an error of the prediction row: 500, with the failure's code. It does not invite a repetition of what
 * already had an effect (G15).
 */
function toPredictionError({ runId, events }: Answered, error: RunError): WeftError {
  const isOfRow = /^(flow|model|tool|agent|budget)-/.test(error.code) || error.code === "internal";
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

/** The event that starts a run; undefined while it is missing. */
type Started = object | undefined;

/**
 * An event of a run as the caller may see it. Visitors without credentials learn that a called service failed, but not
 * its message, which may name hosts, accounts and settings. The journal keeps it all, for the agent's owner.
 */
export function toVisibleEvent(runId: string, started: Started, event: RunEvent): RunEvent {
  if (!isVisitors(started)) return event;
  switch (event.type) {
    case "run-failed":
    case "node-failed":
      return { ...event, error: toVisibleError(runId, event.error) };
    case "node-completed": {
      const output = event.output as JsonObject | null;
      if (typeof output !== "object" || !Array.isArray(output?.usedTools)) return event;
      const usedTools = toVisibleTools(runId, started, output.usedTools as JsonObject[]) as JsonObject[];
      return { ...event, output: { ...output, usedTools } };
    }
    case "effect-finished": {
      const { outcome } = event;
      if (!outcome.ok) return { ...event, outcome: { ...outcome, error: toVisibleError(runId, outcome.error) } };
      const value = outcome.value as JsonObject | null;
      if (typeof value !== "object" || value?.isError !== true) return event;
      return { ...event, outcome: { ...outcome, value: { ...value, content: sentence(runId) } } };
    }
    default:
      return event;
  }
}

/** The events of a run as the caller may see them. */
function toVisibleEvents(runId: string, events: readonly RunEvent[]): readonly RunEvent[] {
  const [started] = events;
  return isVisitors(started) ? events.map((event) => toVisibleEvent(runId, started, event)) : events;
}

/** Tool calls without the messages of failed ones. */
function toVisibleTools<T extends { toolOutput?: unknown; error?: unknown }>(
  runId: string,
  started: Started,
  tools: readonly T[],
): T[] {
  const said = sentence(runId);
  const hide = (tool: T): T => (tool.error === undefined ? tool : { ...tool, toolOutput: said, error: said });
  return isVisitors(started) ? tools.map(hide) : [...tools];
}

function isVisitors(started: Started): boolean {
  return started !== undefined && "owner" in started && started.owner === "anonymous";
}

function toVisibleError(runId: string, error: RunError): RunError {
  const isOfService = /^(model|tool|embedding|vector-store|egress|credential)-/.test(error.code);
  if (!isOfService && error.upstream === undefined) return error;
  return { ...error, message: sentence(runId) };
}

function sentence(runId: string): string {
  return `A service that this agent needs did not do what it was asked. Try again later; the agent's owner finds the details in execution ${runId}.`;
}
