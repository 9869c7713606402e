import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ChatModel } from "@weft/engine/ports/chat-model";
import { createAiSdkModel } from "../ai-sdk/ai-sdk-model.ts";
import type { ChatModelOptions } from "../define-provider.ts";

/** A model of a server that speaks OpenAI's Chat Completions. Without an `apiKey` no Authorization header is sent. */
export function createCompatibleModel(
  provider: string,
  { model, apiKey, baseUrl, fetch }: ChatModelOptions,
): ChatModel {
  const vendor = createOpenAICompatible({
    name: "openaiCompatible",
    baseURL: baseUrl ?? "",
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  return createAiSdkModel({
    id: `${provider}/${model}`,
    model: vendor.chatModel(model),
    // Under its own key the library would also send a call's state as fields that no server knows.
    dialect: { optionsKey: "openaiCompatible", callStateKey: "google", hasStrictSchemas: true },
    secrets: apiKey === undefined ? [] : [apiKey],
  });
}
