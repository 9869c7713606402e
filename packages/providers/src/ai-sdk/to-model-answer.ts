import type { LanguageModelV4FinishReason, LanguageModelV4ToolCall, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelAnswer, ModelToolCall } from "@weft/engine";
import type { JsonObject } from "@weft/schema";
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

/** `optionsKey` is that of the vendor's dialect. */
export function toToolCall(part: LanguageModelV4ToolCall, optionsKey: string): ModelToolCall {
  const call: ModelToolCall = { id: part.toolCallId, name: part.toolName, arguments: part.input };
  const vendorState = part.providerMetadata?.[optionsKey];
  if (vendorState !== undefined) call.vendorState = vendorState as JsonObject;
  return call;
}
