import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelAnswer, ModelToolCall } from "@weft/engine";
import { WeftError } from "@weft/schema";

export type AnswerParts = {
  text: string;
  toolCalls: ModelToolCall[];
  finishReason: LanguageModelV4FinishReason["unified"];
  usage: LanguageModelV4Usage | undefined;
};

/** Rejects an answer that the vendor did not finish with `model-invalid-answer`: its text or arguments may be cut. */
export function finishAnswer({ text, toolCalls, finishReason, usage }: AnswerParts): ModelAnswer {
  if (finishReason === "error" || finishReason === "interrupted") {
    throw new WeftError("model-invalid-answer", { params: { reason: "it ended before it was complete" } });
  }
  const inputTokens = usage?.inputTokens.total ?? 0;
  const outputTokens = usage?.outputTokens.total ?? 0;
  return {
    text,
    toolCalls,
    finishReason: finishReason === "stop" && toolCalls.length > 0 ? "tool-calls" : finishReason,
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  };
}
