import { defineChatProvider } from "../define-provider.ts";

export const openaiProvider = defineChatProvider({
  name: "openai",
  title: "OpenAI",
  summary: "Models of OpenAI, by its Chat Completions API.",
  credentialFields: [
    { name: "apiKey", title: "API key", secret: true, required: true },
    {
      name: "baseUrl",
      title: "Base URL",
      help: "Only for a proxy in front of OpenAI, as in https://proxy.example/v1.",
      secret: false,
      required: false,
    },
  ],
  needsApiKey: true,
  needsBaseUrl: false,
  models: ["gpt-4o-mini", "gpt-4o", "gpt-4.1-mini", "gpt-4.1", "gpt-5-mini", "gpt-5"],
  create: async (options) => (await import("./openai-model.ts")).createOpenAiModel(options),
});
