import { type Document, type Json, type JsonObject, type Usage, WeftError } from "@weft/schema";
import type { ModelAnswer, ModelMessage, ModelToolCall } from "../ports/chat-model.ts";
import { type AnswerSchema, askAgain, type StructuredAnswer } from "./read-answer.ts";

/** A tool call, made or refused, as the answer, the trace and the chat message show it. */
type UsedTool = { tool: string; toolInput: JsonObject; toolOutput: string; error?: string };

export type ToolOutcome = {
  call: ModelToolCall;
  used: UsedTool;
  returnDirect: boolean;
  sourceDocuments: readonly Document[];
  /** Sent to the model in place of the output: the output's passages under their numbers. */
  told?: string;
  /** No tool was called; the output is the platform's explanation. */
  isOwn?: true;
};

/** A conversation between a model and its tools. Immutable; every step returns a new one. */
export type AgentState = {
  readonly messages: readonly ModelMessage[];
  readonly round: number;
  readonly maxRounds: number;
  readonly pending: readonly ModelToolCall[];
  readonly usedTools: readonly UsedTool[];
  /** Passages that tools found, and those that the model could cite from the start. */
  readonly sourceDocuments: readonly Document[];
  readonly usage: Usage;
  /** Schema of the answer. Absent: free text. */
  readonly answerSchema?: AnswerSchema | undefined;
  /** The last answer was rejected; the next one is final. */
  readonly isRepairing: boolean;
  readonly answer: string | null;
  /** The answer as data, if there is an `answerSchema`. */
  readonly json?: Json;
  readonly finishReason: ModelAnswer["finishReason"] | null;
};

type AgentStep =
  | { type: "ask"; messages: readonly ModelMessage[]; round: number; mayCallTools: boolean; isLast: boolean }
  | { type: "call"; calls: readonly ModelToolCall[] }
  | { type: "done"; text: string };

export function beginAgent(
  messages: readonly ModelMessage[],
  maxRounds: number,
  answerSchema?: AnswerSchema,
  sourceDocuments: readonly Document[] = [],
): AgentState {
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  const nothing = { round: 0, pending: [], usedTools: [], sourceDocuments, usage };
  return { ...nothing, messages, maxRounds, answerSchema, isRepairing: false, answer: null, finishReason: null };
}

export function nextStep(state: AgentState): AgentStep {
  if (state.answer !== null) return { type: "done", text: state.answer };
  if (state.pending.length > 0) return { type: "call", calls: state.pending };
  const { round, isRepairing: isLast } = state;
  return { type: "ask", messages: toAsk(state), round, mayCallTools: mayCallTools(state), isLast };
}

/** Tells a model on its last round that this is its last call, which may not call tools. */
function toAsk({ messages, round, maxRounds }: AgentState): readonly ModelMessage[] {
  return isSpent({ round, maxRounds }) ? [...messages, { role: "user", content: answerNow }] : messages;
}

function isSpent({ round, maxRounds }: Pick<AgentState, "round" | "maxRounds">): boolean {
  return maxRounds > 0 && round === maxRounds;
}

const answerNow = "You cannot call tools any more. Answer now, with what you have.";

function mayCallTools({ round, maxRounds, isRepairing }: AgentState): boolean {
  return round < maxRounds && !isRepairing;
}

/**
 * Processes the model's answer: its text, the tools to call, or the request to answer again. Throws `agent-no-answer`
 * if a model that has spent its rounds still says nothing.
 */
export function afterAnswer(before: AgentState, answer: StructuredAnswer): AgentState {
  const calls = mayCallTools(before) ? answer.toolCalls : [];
  if (isSpent(before) && answer.text.trim() === "" && !answer.rejected) {
    throw new WeftError("agent-no-answer", { params: { rounds: before.maxRounds } });
  }
  const { usage, finishReason } = answer;
  const state = { ...before, round: before.round + 1, usage: addUsage(before.usage, usage), finishReason };
  if (answer.rejected && state.answerSchema) {
    const messages = [...state.messages, ...askAgain(answer.rejected, state.answerSchema)];
    return { ...state, messages, isRepairing: true };
  }
  const said: ModelMessage = {
    role: "assistant",
    content: answer.text,
    ...(calls.length > 0 ? { toolCalls: calls } : {}),
  };
  return {
    ...state,
    messages: [...state.messages, said],
    pending: calls,
    answer: calls.length > 0 ? null : answer.text,
    ...(answer.json === undefined ? {} : { json: answer.json }),
  };
}

/** Processes the results of one round. A result that is returned directly becomes the answer. */
export function afterTools(state: AgentState, outcomes: readonly ToolOutcome[]): AgentState {
  const results = outcomes.map(
    ({ call, used, told, isOwn }): ModelMessage => ({
      role: "tool",
      toolCallId: call.id,
      toolName: call.name,
      content: told ?? used.toolOutput,
      ...(used.error === undefined ? {} : { isError: true }),
      ...(isOwn && { isOwn }),
    }),
  );
  const direct = outcomes.find((outcome) => outcome.returnDirect);
  return {
    ...state,
    messages: [...state.messages, ...results],
    pending: [],
    usedTools: [...state.usedTools, ...outcomes.map((outcome) => outcome.used)],
    sourceDocuments: [...state.sourceDocuments, ...outcomes.flatMap((outcome) => outcome.sourceDocuments)],
    answer: direct ? direct.used.toolOutput : null,
  };
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}
