import { type Document, type Json, type JsonObject, type Usage, WeftError } from "@weft/schema";
import type { ModelAnswer, ModelMessage, ModelToolCall } from "../ports/chat-model.ts";
import { type AnswerSchema, askAgain, type StructuredAnswer } from "./read-answer.ts";

/** A call, made or refused, as the answer, the trace and the chat message show it. */
type UsedTool = { tool: string; toolInput: JsonObject; toolOutput: string; error?: string };

/** What a tool gave back for one call. */
export type ToolOutcome = {
  call: ModelToolCall;
  used: UsedTool;
  returnDirect: boolean;
  sourceDocuments: readonly Document[];
  /** What the model reads in place of the output: its passages under their numbers. */
  told?: string;
  /** Nothing was called: the output says why, in the platform's own words. */
  isOwn?: true;
};

/** A conversation between a model and its tools. Immutable; every step makes a new one. */
export type AgentState = {
  readonly messages: readonly ModelMessage[];
  /** Model calls made so far. */
  readonly round: number;
  readonly maxRounds: number;
  readonly pending: readonly ModelToolCall[];
  readonly usedTools: readonly UsedTool[];
  /** Passages that tools found, and those that the model could cite from the beginning. */
  readonly sourceDocuments: readonly Document[];
  readonly usage: Usage;
  /** What the answer must be. Absent: words. */
  readonly answerSchema?: AnswerSchema | undefined;
  /** Whether an answer was rejected: the next one is the last. */
  readonly isRepairing: boolean;
  readonly answer: string | null;
  /** The answer as data, where there is a schema for it. */
  readonly json?: Json;
  readonly finishReason: ModelAnswer["finishReason"] | null;
};

/** What comes next: ask the model, call tools, or be done. */
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

/** A model that has spent its rounds is told so with its last call, which may call nothing. */
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
 * Takes the model's answer in: its words, the tools that it wants called, or what has to be asked again. Throws
 * `agent-no-answer` for a model that has spent its rounds and says nothing even then.
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

/** Takes the results of a round in. A result that is returned directly is the answer. */
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
