import { createAnthropic } from "@ai-sdk/anthropic";
import type { ChatModel } from "@weft/engine";
import { createAiSdkModel } from "../ai-sdk/ai-sdk-model.ts";
import type { ChatModelOptions } from "../chat-provider.ts";

/** Where the key is for, unless a base URL says otherwise. Given to the library so that it reads no environment. */
const anthropicBaseUrl = "https://api.anthropic.com/v1";

/** A model of Anthropic, by its Messages API. */
export function createAnthropicModel({ model, apiKey = "", baseUrl, fetch }: ChatModelOptions): ChatModel {
  const vendor = createAnthropic({ apiKey, baseURL: baseUrl ?? anthropicBaseUrl, fetch });
  return createAiSdkModel({
    id: `anthropic/${model}`,
    model: vendor.messages(model),
    // Arguments are wanted whole, so Anthropic is to check that they are JSON.
    dialect: { optionsKey: "anthropic", options: { toolStreaming: false }, marksToolErrors: true },
    secrets: [apiKey],
  });
}
