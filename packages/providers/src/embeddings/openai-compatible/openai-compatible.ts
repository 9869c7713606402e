import { z } from "zod";
import { openaiCompatibleProvider } from "../../openai-compatible/openai-compatible.ts";
import {
  baseUrlField,
  credentialField,
  defineEmbeddingProvider,
  dimensionsField,
  modelField,
} from "../embedding-provider.ts";
import { createHttpEmbeddingModel } from "../embedding-request.ts";
import { createOpenAiWire } from "../openai/openai-wire.ts";

export const openaiCompatibleEmbeddings = defineEmbeddingProvider({
  name: "openai-compatible",
  title: "OpenAI-compatible server",
  summary: "Any server with OpenAI's embeddings API: vLLM, llama.cpp, LM Studio, LocalAI and others.",
  credentialFields: openaiCompatibleProvider.credentialFields,
  needs: ["baseUrl"],
  account: { name: "openai", keyVariable: "OPENAI_API_KEY" },
  models: [],
  config: z.strictObject({
    baseUrl: baseUrlField("http://localhost:8000/v1"),
    model: modelField("nomic-embed-text"),
    credential: credentialField,
    dimensions: dimensionsField,
  }),
  aliases: {
    names: ["localAIEmbeddings"],
    config: { modelName: "model", basePath: "baseUrl" },
  },
  create: async (options) =>
    createHttpEmbeddingModel(createOpenAiWire("openai-compatible", options.baseUrl ?? ""), options),
});
