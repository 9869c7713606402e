import { z } from "zod";
import { apiKeyField, baseUrlField, defineProvider } from "../define-provider.ts";
import {
  createHttpEmbeddingModel,
  type EmbeddingWire,
  embeddingConfigFields as fields,
  vectorSchema,
} from "../http-embedding-model.ts";

/** Gemini 3 and later have levels, earlier ones budgets; both accept either. */
export const geminiParameters = [
  "reasoning",
  "thinkingTokens",
  "topK",
  "frequencyPenalty",
  "presencePenalty",
  "seed",
  "stop",
] as const;

export function toThinkingOfGemini(thinkingBudget: number) {
  return { thinkingConfig: { thinkingBudget } };
}

/** Destination of the key unless a base URL is given. */
const googleBaseUrl = "https://generativelanguage.googleapis.com/v1beta";

export const google = defineProvider({
  name: "google",
  title: "Google Gemini",
  account: { name: "google", keyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"], hosts: ["*.googleapis.com"] },
  needs: ["apiKey"],
  credentialFields: [
    apiKeyField({ required: true }),
    baseUrlField("Only for a proxy in front of the Gemini API, as in https://proxy.example/v1beta."),
  ],
  existingCredentials: [{ name: "googleGenerativeAI", title: "Google Gemini API", keyField: "googleGenerativeAPIKey" }],
  chat: {
    summary: "Google's Gemini models, through the Gemini API.",
    acceptsImages: true,
    models: ["gemini-flash-latest", "gemini-flash-lite-latest", "gemini-pro-latest", "gemini-3.5-flash"],
    modelNames: /^gemini/i,
    parameters: geminiParameters,
    /** Unlike Vertex AI, the Gemini API accepts no penalties for 2.5. */
    leavesOut: (model) => (/gemini-2\.5/.test(model) ? ["frequencyPenalty", "presencePenalty"] : []),
    /** Uses the API's `generateContent`. The key goes in a header, never in the URL. */
    async create({ model, apiKey = "", baseUrl = googleBaseUrl, fetch }) {
      const { createGoogle } = await import("@ai-sdk/google");
      const { createAiSdkModel } = await import("../ai-sdk/ai-sdk-model.ts");
      return createAiSdkModel({
        id: `google/${model}`,
        model: createGoogle({ apiKey, baseURL: baseUrl, fetch }).chat(model),
        dialect: { optionsKey: "google", marksToolErrors: true, asksAtTheEnd: true, toThinking: toThinkingOfGemini },
        secrets: [apiKey],
      });
    },
  },
  embeddings: {
    summary: "Google's embedding models, through the Gemini API.",
    models: ["gemini-embedding-001"],
    config: z.strictObject({
      model: fields.model("gemini-embedding-001"),
      credential: fields.credential,
      dimensions: fields.dimensions,
      baseUrl: fields.baseUrl("https://proxy.example/v1beta"),
    }),
    aliases: { names: ["googleGenerativeAiEmbeddings"], config: { modelName: "model" } },
    create: async (options) => createHttpEmbeddingModel(createGoogleWire(options.baseUrl ?? googleBaseUrl), options),
  },
});

const answerSchema = z.object({ embeddings: z.array(z.object({ values: vectorSchema })) });

/** The Gemini API's `batchEmbedContents`. The key goes in a header, never in the URL. */
function createGoogleWire(baseUrl: string): EmbeddingWire {
  return {
    vendor: "google",
    maxBatch: 100,
    url: (model) => `${baseUrl}/models/${encodeURIComponent(model)}:batchEmbedContents`,
    headers: (apiKey = "") => ({ "x-goog-api-key": apiKey }),
    body: ({ texts, purpose }, { model, dimensions }) => ({
      requests: texts.map((text) => ({
        model: `models/${model}`,
        content: { parts: [{ text: text === "" ? " " : text }] },
        taskType: purpose === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT",
        ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
      })),
    }),
    read: (answer) => answerSchema.safeParse(answer).data?.embeddings.map(({ values }) => values),
  };
}
