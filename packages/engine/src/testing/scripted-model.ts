import type { ChatModel, ModelAnswer, ModelCall } from "../ports/chat-model.ts";

export type ScriptedStep = { text?: string; toolCalls?: { name: string; arguments: object | string }[] };

/** A chat model that answers from a script by the number of assistant messages it has said before in the call. */
export function createScriptedModel(steps: readonly ScriptedStep[]): ChatModel & { calls: ModelCall[] } {
  const calls: ModelCall[] = [];
  return {
    id: "scripted/model",
    calls,
    async answer(call) {
      calls.push(call);
      call.signal.throwIfAborted();
      const round = call.messages.filter((message) => message.role === "assistant").length;
      const step = steps[Math.min(round, steps.length - 1)] ?? {};
      for (const word of (step.text ?? "").match(/\S+\s*/g) ?? []) call.onText?.(word);
      return toAnswer(step, round);
    },
  };
}

function toAnswer(step: ScriptedStep, round: number): ModelAnswer {
  const toolCalls = (step.toolCalls ?? []).map((call, index) => ({
    id: `call-${round}-${index}`,
    name: call.name,
    arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
  }));
  return {
    text: step.text ?? "",
    toolCalls,
    finishReason: toolCalls.length > 0 ? "tool-calls" : "stop",
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
  };
}
