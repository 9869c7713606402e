import { z } from "zod";
import { apiKeyField, baseUrlField, defineProvider } from "../define-provider.ts";
import { createHttpRerankModel, type RerankWire, rerankResults } from "../rerankers/http-rerank-model.ts";

/** Destination of the key unless a base URL is given. */
const voyageBaseUrl = "https://api.voyageai.com/v1";

export const voyage = defineProvider({
  name: "voyage",
  title: "Voyage AI",
  account: { name: "voyage", keyVariables: ["VOYAGE_API_KEY"], hosts: ["api.voyageai.com"] },
  needs: ["apiKey"],
  credentialFields: [
    apiKeyField({ required: true }),
    baseUrlField("Only for a proxy in front of Voyage AI, as in https://proxy.example/v1."),
  ],
  existingCredentials: [{ name: "voyageAIApi", title: "Voyage AI API", keyField: "apiKey" }],
  rerank: {
    summary: "Voyage AI's rerankers.",
    models: ["rerank-2.5", "rerank-2.5-lite", "rerank-2", "rerank-2-lite"],
    create: async (options) => createHttpRerankModel(createVoyageWire(options.baseUrl ?? voyageBaseUrl), options),
  },
});

const answerSchema = z.object({
  data: rerankResults,
  usage: z.object({ total_tokens: z.number().optional() }).optional(),
});

/** Voyage AI's `POST /v1/rerank`, which truncates long passages. */
function createVoyageWire(baseUrl: string): RerankWire {
  return {
    vendor: "voyage",
    maxPassages: 1_000,
    url: `${baseUrl}/rerank`,
    body: ({ query, passages }, model) => ({
      model,
      query,
      documents: passages,
      top_k: passages.length,
      truncation: true,
    }),
    read(answer) {
      const { data } = answerSchema.safeParse(answer);
      return data && { results: data.data, tokens: data.usage?.total_tokens };
    },
  };
}
