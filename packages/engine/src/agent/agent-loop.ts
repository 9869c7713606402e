import type { Json, Usage } from "@weft/schema";
import type { ModelAnswer, ModelMessage, ModelToolCall } from "../ports/chat-model.ts";

/** A call whose arguments were read, as the answer, the trace and the chat message show it. */
export type UsedTool = { tool: string; toolInput: Json; toolOutput: string; error?: string };

/** What a tool gave back for one call. */
export type ToolOutcome = { call: ModelToolCall; used: UsedTool; returnDirect: boolean };

/** A conversation between a model and its tools. Immutable; every step makes a new one. */
export type AgentState = {
  readonly messages: readonly ModelMessage[];
  /** Model calls made so far. */
  readonly round: number;
  readonly maxRounds: number;
  readonly pending: readonly ModelToolCall[];
  readonly usedTools: readonly UsedTool[];
  readonly usage: Usage;
  readonly answer: string | null;
};

/** What comes next: ask the model (the last time without tools), call tools, or be done. */
export type AgentStep =
  | { type: "ask"; round: number; mayCallTools: boolean }
  | { type: "call"; calls: readonly ModelToolCall[] }
  | { type: "done"; text: string };

export function beginAgent(messages: readonly ModelMessage[], maxRounds: number): AgentState {
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  return { messages, round: 0, maxRounds, pending: [], usedTools: [], usage, answer: null };
}

export function nextStep(state: AgentState): AgentStep {
  if (state.answer !== null) return { type: "done", text: state.answer };
  if (state.pending.length > 0) return { type: "call", calls: state.pending };
  return { type: "ask", round: state.round, mayCallTools: state.round < state.maxRounds };
}

/** Takes the model's answer in: its words, or the tools that it wants called. */
export function afterAnswer(state: AgentState, answer: ModelAnswer): AgentState {
  const mayCallTools = state.round < state.maxRounds;
  const calls = mayCallTools ? answer.toolCalls : [];
  const said: ModelMessage = {
    role: "assistant",
    content: answer.text,
    ...(calls.length > 0 ? { toolCalls: calls } : {}),
  };
  return {
    ...state,
    messages: [...state.messages, said],
    round: state.round + 1,
    pending: calls,
    usage: addUsage(state.usage, answer.usage),
    answer: calls.length > 0 ? null : answer.text,
  };
}

/** Takes the results of a round in. A result that is returned directly is the answer. */
export function afterTools(state: AgentState, outcomes: readonly ToolOutcome[]): AgentState {
  const results = outcomes.map(
    ({ call, used }): ModelMessage => ({
      role: "tool",
      toolCallId: call.id,
      toolName: call.name,
      content: used.toolOutput,
      ...(used.error === undefined ? {} : { isError: true }),
    }),
  );
  const direct = outcomes.find((outcome) => outcome.returnDirect);
  return {
    ...state,
    messages: [...state.messages, ...results],
    pending: [],
    usedTools: [...state.usedTools, ...outcomes.map((outcome) => outcome.used)],
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
