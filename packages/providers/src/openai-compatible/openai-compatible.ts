import { defineChatProvider } from "../define-provider.ts";

export const openaiCompatibleProvider = defineChatProvider({
  name: "openai-compatible",
  title: "OpenAI-compatible server",
  summary: "Any server with the Chat Completions API: Ollama, vLLM, llama.cpp, LM Studio, OpenRouter and others.",
  credentialFields: [
    { name: "apiKey", title: "API key", help: "Empty for a server without one.", secret: true, required: false },
    { name: "baseUrl", title: "Base URL", help: "As in http://localhost:11434/v1.", secret: false, required: false },
  ],
  needsApiKey: false,
  needsBaseUrl: true,
  models: [],
  create: async (options) => (await import("./openai-compatible-model.ts")).createOpenAiCompatibleModel(options),
});
