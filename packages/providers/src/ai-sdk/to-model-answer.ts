import type { LanguageModelV4FinishReason, LanguageModelV4ToolCall, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelAnswer, ModelToolCall } from "@weft/engine";
import { type JsonObject, usageOf } from "@weft/schema";
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
  return {
    text,
    toolCalls,
    finishReason: finishReason === "stop" && toolCalls.length > 0 ? "tool-calls" : finishReason,
    usage: usageOf(usage?.inputTokens.total ?? 0, usage?.outputTokens.total ?? 0),
  };
}

/** `optionsKey` is that of the vendor's dialect. */
export function toToolCall(part: LanguageModelV4ToolCall, optionsKey: string): ModelToolCall {
  const call: ModelToolCall = { id: part.toolCallId, name: part.toolName, arguments: part.input };
  const vendorState = part.providerMetadata?.[optionsKey];
  if (vendorState !== undefined) call.vendorState = vendorState as JsonObject;
  return call;
}
