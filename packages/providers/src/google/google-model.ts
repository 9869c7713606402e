import { createGoogle } from "@ai-sdk/google";
import type { ChatModel } from "@weft/engine";
import { createAiSdkModel } from "../ai-sdk/ai-sdk-model.ts";
import type { ChatModelOptions } from "../chat-provider.ts";

/** Where the key is for, unless a base URL says otherwise. */
const googleBaseUrl = "https://generativelanguage.googleapis.com/v1beta";

/** A model of Google, by the Gemini API's `generateContent`. The key goes in a header, never in the address. */
export function createGoogleModel({ model, apiKey = "", baseUrl, fetch }: ChatModelOptions): ChatModel {
  const vendor = createGoogle({ apiKey, baseURL: baseUrl ?? googleBaseUrl, fetch });
  return createAiSdkModel({
    id: `google/${model}`,
    model: vendor.chat(model),
    dialect: { optionsKey: "google", marksToolErrors: true },
    secrets: [apiKey],
  });
}
