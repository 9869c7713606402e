import { z } from "zod";
import { openaiProvider } from "../../openai/openai.ts";
import {
  baseUrlField,
  credentialField,
  defineEmbeddingProvider,
  dimensionsField,
  modelField,
} from "../embedding-provider.ts";
import { createHttpEmbeddingModel } from "../embedding-request.ts";
import { createOpenAiWire } from "./openai-wire.ts";

export const openaiEmbeddings = defineEmbeddingProvider({
  name: "openai",
  title: "OpenAI",
  summary: "OpenAI's embedding models.",
  credentialFields: openaiProvider.credentialFields,
  needs: ["apiKey"],
  account: { name: "openai", keyVariable: "OPENAI_API_KEY" },
  models: ["text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002"],
  config: z.strictObject({
    model: modelField("text-embedding-3-small"),
    credential: credentialField,
    dimensions: dimensionsField,
    baseUrl: baseUrlField("https://proxy.example/v1"),
  }),
  aliases: {
    names: ["openAIEmbeddings", "openAIEmbeddingsCustom", "openAIEmbedding_LlamaIndex"],
    config: { modelName: "model", basepath: "baseUrl" },
  },
  create: async (options) =>
    createHttpEmbeddingModel(createOpenAiWire("openai", options.baseUrl ?? "https://api.openai.com/v1"), options),
});
