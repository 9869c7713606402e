import { z } from "zod";
import { ollamaProvider } from "../../ollama/ollama.ts";
import { defaultOllamaUrl } from "../../ollama/ollama-host.ts";
import {
  baseUrlField,
  credentialField,
  defineEmbeddingProvider,
  dimensionsField,
  modelField,
} from "../embedding-provider.ts";
import { createHttpEmbeddingModel, type EmbeddingWire, vectorSchema } from "../embedding-request.ts";

export const ollamaEmbeddings = defineEmbeddingProvider({
  name: "ollama",
  title: "Ollama",
  summary: "Embedding models run by an Ollama server, on this machine or another.",
  credentialFields: ollamaProvider.credentialFields,
  needs: [],
  account: { name: "ollama" },
  models: ["nomic-embed-text", "mxbai-embed-large", "all-minilm", "bge-m3"],
  config: z.strictObject({
    model: modelField("nomic-embed-text"),
    baseUrl: baseUrlField(defaultOllamaUrl),
    credential: credentialField,
    dimensions: dimensionsField,
  }),
  aliases: { names: ["ollamaEmbedding"], config: { modelName: "model" } },
  create: async (options) => createHttpEmbeddingModel(createOllamaWire(options.baseUrl ?? defaultOllamaUrl), options),
});

const answerSchema = z.object({ embeddings: z.array(vectorSchema) });

/** Ollama's `POST /api/embed`. Texts longer than the model takes are cut by the server. */
function createOllamaWire(baseUrl: string): EmbeddingWire {
  return {
    vendor: "ollama",
    maxBatch: 64,
    url: () => `${baseUrl}/api/embed`,
    headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    body: ({ texts }, { model, dimensions }) => ({
      model,
      input: texts,
      ...(dimensions === undefined ? {} : { dimensions }),
    }),
    read: (answer) => answerSchema.safeParse(answer).data?.embeddings,
  };
}
