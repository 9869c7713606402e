import { createOpenAI } from "@ai-sdk/openai";
import type { ChatModel } from "@weft/engine";
import { createAiSdkModel } from "../ai-sdk/ai-sdk-model.ts";
import type { ChatModelOptions } from "../chat-provider.ts";

/** Where the key is for, unless a base URL says otherwise. Given to the library so that it reads no environment. */
const openAiBaseUrl = "https://api.openai.com/v1";

/**
 * A model of OpenAI. Chat Completions rather than Responses: one wire format serves OpenAI, proxies in front of it and
 * every compatible server, and nothing of the conversation is stored at the vendor.
 */
export function createOpenAiModel({ model, apiKey, baseUrl, fetch }: ChatModelOptions): ChatModel {
  const vendor = createOpenAI({ apiKey: apiKey ?? "", baseURL: baseUrl ?? openAiBaseUrl, fetch });
  return createAiSdkModel({
    id: `openai/${model}`,
    model: vendor.chat(model),
    dialect: { optionsKey: "openai", hasStrictSchemas: true },
    secrets: apiKey === undefined ? [] : [apiKey],
  });
}
