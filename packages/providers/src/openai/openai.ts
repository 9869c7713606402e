import { baseUrlField, defineChatProvider } from "../chat-provider.ts";

export const openaiProvider = defineChatProvider({
  name: "openai",
  title: "OpenAI",
  summary: "OpenAI's models, through the Chat Completions API.",
  credentialFields: [
    { name: "apiKey", aliases: ["openAIApiKey"], title: "API key", secret: true, required: true },
    baseUrlField("Only for a proxy in front of OpenAI, as in https://proxy.example/v1."),
  ],
  needs: ["apiKey"],
  account: { name: "openai", keyVariable: "OPENAI_API_KEY" },
  hosts: ["api.openai.com"],
  acceptsImages: true,
  models: ["gpt-4o-mini", "gpt-4o", "gpt-4.1-mini", "gpt-4.1", "gpt-5-mini", "gpt-5"],
  create: async (options) => (await import("./openai-model.ts")).createOpenAiModel(options),
});
