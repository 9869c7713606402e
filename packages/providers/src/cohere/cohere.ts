import { z } from "zod";
import { apiKeyField, baseUrlField, defineProvider } from "../define-provider.ts";
import {
  createHttpEmbeddingModel,
  type EmbeddingWire,
  embeddingConfigFields as fields,
  vectorSchema,
} from "../http-embedding-model.ts";
import { createHttpRerankModel, type RerankWire, rerankResults } from "../rerankers/http-rerank-model.ts";

/** Destination of the key unless a base URL is given. */
const cohereBaseUrl = "https://api.cohere.com/v2";

export const cohere = defineProvider({
  name: "cohere",
  title: "Cohere",
  account: { name: "cohere", keyVariables: ["COHERE_API_KEY"], hosts: ["api.cohere.com", "api.cohere.ai"] },
  needs: ["apiKey"],
  credentialFields: [
    apiKeyField({ required: true }),
    baseUrlField("Only for a proxy in front of Cohere, as in https://proxy.example/v2."),
  ],
  existingCredentials: [{ name: "cohereApi", title: "Cohere API", keyField: "cohereApiKey" }],
  chat: {
    summary: "Cohere's Command models, through its Chat API.",
    acceptsImages: true,
    models: ["command-a-03-2025", "command-a-vision-07-2025", "command-r7b-12-2024", "command-r-plus-08-2024"],
    modelNames: /^command-/i,
    parameters: ["thinkingTokens", "topK", "frequencyPenalty", "presencePenalty", "seed", "stop"],
    async create({ baseUrl = cohereBaseUrl, ...options }) {
      const { createCohereModel } = await import("./cohere-model.ts");
      return createCohereModel({ baseUrl, ...options });
    },
  },
  embeddings: {
    summary: "Cohere's embedding models.",
    models: ["embed-v4.0", "embed-multilingual-v3.0", "embed-english-v3.0"],
    config: z.strictObject({
      model: fields.model("embed-v4.0"),
      credential: fields.credential,
      dimensions: fields.dimensions,
      baseUrl: fields.baseUrl("https://proxy.example/v2"),
    }),
    aliases: { names: ["cohereEmbeddings"], config: { modelName: "model" } },
    create: async (options) => createHttpEmbeddingModel(createCohereWire(options.baseUrl ?? cohereBaseUrl), options),
  },
  rerank: {
    summary: "Cohere's rerankers.",
    models: ["rerank-v3.5", "rerank-english-v3.0", "rerank-multilingual-v3.0"],
    create: async (options) => createHttpRerankModel(createRerankWire(options.baseUrl ?? cohereBaseUrl), options),
  },
});

const answerSchema = z.object({ embeddings: z.object({ float: z.array(vectorSchema) }) });

/**
 * Cohere's `POST /v2/embed`, which requires the purpose of texts. Truncates texts longer than the model's limit on the
 * server.
 */
function createCohereWire(baseUrl: string): EmbeddingWire {
  return {
    vendor: "cohere",
    maxBatch: 96,
    url: () => `${baseUrl}/embed`,
    headers: (apiKey = "") => ({ authorization: `Bearer ${apiKey}` }),
    body: ({ texts, purpose }, { model, dimensions }) => ({
      model,
      texts: texts.map((text) => (text === "" ? " " : text)),
      input_type: purpose === "query" ? "search_query" : "search_document",
      embedding_types: ["float"],
      ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
    }),
    read: (answer) => answerSchema.safeParse(answer).data?.embeddings.float,
  };
}

const rerankedSchema = z.object({ results: rerankResults });

/** Cohere's `POST /v2/rerank`, which is billed by search and reports no tokens. */
function createRerankWire(baseUrl: string): RerankWire {
  return {
    vendor: "cohere",
    maxPassages: 1_000,
    url: `${baseUrl}/rerank`,
    body: ({ query, passages }, model) => ({ model, query, documents: passages, top_n: passages.length }),
    read: (answer) => rerankedSchema.safeParse(answer).data,
  };
}
