import { z } from "zod";
import { apiKeyField, baseUrlField, defineProvider } from "../define-provider.ts";
import { createHttpRerankModel, type RerankWire, rerankResults } from "../rerankers/http-rerank-model.ts";

/** Destination of the key unless a base URL is given. */
const jinaBaseUrl = "https://api.jina.ai/v1";

export const jina = defineProvider({
  name: "jina",
  title: "Jina AI",
  account: { name: "jina", keyVariables: ["JINA_API_KEY"], hosts: ["api.jina.ai"] },
  needs: ["apiKey"],
  credentialFields: [
    apiKeyField({ required: true }),
    baseUrlField("Only for a proxy in front of Jina AI, as in https://proxy.example/v1."),
  ],
  existingCredentials: [{ name: "jinaAIApi", title: "Jina AI API", keyField: "jinaAIAPIKey" }],
  rerank: {
    summary: "Jina AI's rerankers.",
    models: ["jina-reranker-v2-base-multilingual", "jina-reranker-m0", "jina-colbert-v2"],
    create: async (options) => createHttpRerankModel(createJinaWire(options.baseUrl ?? jinaBaseUrl), options),
  },
});

const answerSchema = z.object({
  results: rerankResults,
  usage: z.object({ total_tokens: z.number().optional() }).optional(),
});

/** Jina AI's `POST /v1/rerank`. */
function createJinaWire(baseUrl: string): RerankWire {
  return {
    vendor: "jina",
    maxPassages: 1_000,
    url: `${baseUrl}/rerank`,
    body: ({ query, passages }, model) => ({
      model,
      query,
      documents: passages,
      top_n: passages.length,
      return_documents: false,
    }),
    read(answer) {
      const { data } = answerSchema.safeParse(answer);
      return data && { results: data.results, tokens: data.usage?.total_tokens };
    },
  };
}
