import { baseUrlField, defineChatProvider } from "../chat-provider.ts";

export const openaiCompatibleProvider = defineChatProvider({
  name: "openai-compatible",
  title: "OpenAI-compatible server",
  summary: "Any server with the Chat Completions API: vLLM, llama.cpp, LM Studio, OpenRouter and others.",
  credentialFields: [
    {
      name: "apiKey",
      aliases: [
        ...["openAIApiKey", "localAIApiKey", "groqApiKey", "openRouterApiKey", "deepseekApiKey", "mistralAIAPIKey"],
        ...["togetherAIApiKey", "xaiApiKey", "perplexityApiKey", "fireworksApiKey", "cerebrasApiKey"],
        ...["nvidiaNIMApiKey", "sambanovaApiKey", "litellmApiKey", "azureOpenAIApiKey"],
      ],
      title: "API key",
      help: "Leave empty if the server does not require one.",
      secret: true,
      required: false,
    },
    baseUrlField("As in http://localhost:8000/v1."),
  ],
  needs: ["baseUrl"],
  account: { name: "openai", keyVariable: "OPENAI_API_KEY" },
  acceptsImages: true,
  models: [],
  create: async (options) => (await import("./openai-compatible-model.ts")).createOpenAiCompatibleModel(options),
});
