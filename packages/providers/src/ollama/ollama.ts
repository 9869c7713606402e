import { baseUrlField, defineChatProvider } from "../chat-provider.ts";

export const ollamaProvider = defineChatProvider({
  name: "ollama",
  title: "Ollama",
  summary: "Models run by an Ollama server, on this machine or another.",
  credentialFields: [
    {
      name: "apiKey",
      aliases: ["ollamaApiKey"],
      title: "API key",
      help: "Only needed for servers that require one, such as https://ollama.com.",
      secret: true,
      required: false,
    },
    baseUrlField("As in http://127.0.0.1:11434."),
  ],
  needs: [],
  account: { name: "ollama" },
  hosts: ["ollama.com"],
  acceptsImages: true,
  models: ["llama3.2", "qwen3", "gpt-oss", "gemma3", "mistral"],
  create: async (options) => (await import("./ollama-model.ts")).createOllamaModel(options),
});
