import { z } from "zod";
import { apiKeyField, baseUrlField, defineProvider } from "../define-provider.ts";
import {
  createHttpEmbeddingModel,
  createOpenAiWire,
  embeddingConfigFields as fields,
} from "../http-embedding-model.ts";
import { openAiAccount } from "../openai/openai.ts";
import { compatibleVendors } from "./vendors.ts";

/** Also reads the keys of vendors with providers of their own: imported flows name this one and an address. */
const keysOfVendors = compatibleVendors.flatMap(({ credentialFields }) =>
  credentialFields.filter(({ name }) => name === "apiKey").flatMap(({ aliases = [] }) => aliases),
);

export const openAiCompatible = defineProvider({
  name: "openai-compatible",
  title: "OpenAI-compatible server",
  account: openAiAccount,
  needs: ["baseUrl"],
  credentialFields: [
    apiKeyField({
      help: "Leave empty if the server does not require one.",
      required: false,
      aliases: ["openAIApiKey", "azureOpenAIApiKey", ...keysOfVendors],
    }),
    baseUrlField("As in http://localhost:8000/v1."),
  ],
  existingCredentials: [
    { name: "litellmApi", title: "LiteLLM API", keyField: "litellmApiKey", hosts: [] },
    { name: "localAIApi", title: "LocalAI API", keyField: "localAIApiKey", hosts: [] },
  ],
  chat: {
    summary: "Any server with the Chat Completions API: vLLM, llama.cpp, LM Studio, OpenRouter and others.",
    acceptsImages: true,
    models: [],
    // Its server refuses or ignores unknown parameters.
    parameters: ["reasoning", "topK", "frequencyPenalty", "presencePenalty", "seed", "stop"],
    async create({ baseUrl = "", ...options }) {
      const { createChatCompletionsModel } = await import("../chat-completions/index.ts");
      return createChatCompletionsModel({ id: `openai-compatible/${options.model}`, baseUrl, ...options });
    },
  },
  embeddings: {
    summary: "Any server with OpenAI's embeddings API: vLLM, llama.cpp, LM Studio, LocalAI and others.",
    models: [],
    config: z.strictObject({
      baseUrl: fields.baseUrl("http://localhost:8000/v1"),
      model: fields.model("nomic-embed-text"),
      credential: fields.credential,
      dimensions: fields.dimensions,
    }),
    aliases: { names: ["localAIEmbeddings"], config: { modelName: "model", basePath: "baseUrl" } },
    create: async (options) =>
      createHttpEmbeddingModel(createOpenAiWire("openai-compatible", options.baseUrl ?? ""), options),
  },
  speech: { name: "localAISTT", model: "whisper-1", takesAddress: true },
});
