import { z } from "zod";
import { apiKeyField, baseUrlField, defineProvider } from "../define-provider.ts";
import {
  createHttpEmbeddingModel,
  type EmbeddingWire,
  embeddingConfigFields as fields,
  vectorSchema,
} from "../http-embedding-model.ts";
import { defaultOllamaUrl, parseOllamaHost } from "./ollama-host.ts";

export const ollama = defineProvider({
  name: "ollama",
  title: "Ollama",
  account: {
    name: "ollama",
    hosts: ["ollama.com"],
    address: { variable: "OLLAMA_HOST", expected: "a host, host:port or an http address", parse: parseOllamaHost },
  },
  needs: [],
  credentialFields: [
    apiKeyField({
      help: "Only needed for servers that require one, such as https://ollama.com.",
      required: false,
    }),
    baseUrlField("As in http://127.0.0.1:11434."),
  ],
  existingCredentials: [{ name: "ollamaApi", title: "Ollama API", keyField: "ollamaApiKey" }],
  chat: {
    summary: "Models run by an Ollama server, on this machine or another.",
    acceptsImages: true,
    parameters: ["reasoning", "topK", "frequencyPenalty", "presencePenalty", "seed", "stop", "contextTokens"],
    models: ["llama3.2", "qwen3", "gpt-oss", "gemma3", "mistral"],
    create: async (options) => (await import("./ollama-model.ts")).createOllamaModel(options),
  },
  embeddings: {
    summary: "Embedding models run by an Ollama server, on this machine or another.",
    models: ["nomic-embed-text", "mxbai-embed-large", "all-minilm", "bge-m3"],
    config: z.strictObject({
      model: fields.model("nomic-embed-text"),
      baseUrl: fields.baseUrl(defaultOllamaUrl),
      credential: fields.credential,
      dimensions: fields.dimensions,
    }),
    aliases: { names: ["ollamaEmbedding"], config: { modelName: "model" } },
    create: async (options) => createHttpEmbeddingModel(createOllamaWire(options.baseUrl ?? defaultOllamaUrl), options),
  },
});

const answerSchema = z.object({ embeddings: z.array(vectorSchema) });

/** Ollama's `POST /api/embed`. The server truncates texts longer than the model's limit. */
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
