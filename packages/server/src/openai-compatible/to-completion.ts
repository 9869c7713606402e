import type { PredictionResult, Usage } from "@weft/schema";
import type { ChatCompletion, CompletionFacts } from "./chat-completion.ts";

/** The answer of an agent as a chat completion. */
export function toCompletion(
  { id, created, model }: CompletionFacts,
  { text, usage }: PredictionResult,
): ChatCompletion {
  const message = { role: "assistant", content: text, refusal: null } as const;
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: toUsage(usage),
  };
}

export function toUsage({ inputTokens, outputTokens, totalTokens }: Usage): ChatCompletion["usage"] {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: totalTokens };
}
