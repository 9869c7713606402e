import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelAnswer, ModelToolCall } from "@weft/engine";
import { brokenOff, invalidAnswer } from "../failure/model-failure.ts";

export type AnswerParts = {
  text: string;
  toolCalls: ModelToolCall[];
  finishReason: LanguageModelV4FinishReason["unified"];
  usage: LanguageModelV4Usage | undefined;
};

/** Rejects an answer that the vendor did not finish with `model-invalid-answer`: its text or arguments may be cut. */
export function finishAnswer({ text, toolCalls, finishReason, usage }: AnswerParts): ModelAnswer {
  if (finishReason === "error" || finishReason === "interrupted") throw invalidAnswer(brokenOff);
  const inputTokens = usage?.inputTokens.total ?? 0;
  const outputTokens = usage?.outputTokens.total ?? 0;
  return {
    text,
    toolCalls,
    finishReason: finishReason === "stop" && toolCalls.length > 0 ? "tool-calls" : finishReason,
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  };
}
