import { z } from "zod";
import { googleProvider } from "../../google/google.ts";
import {
  baseUrlField,
  credentialField,
  defineEmbeddingProvider,
  dimensionsField,
  modelField,
} from "../embedding-provider.ts";
import { createHttpEmbeddingModel, type EmbeddingWire, vectorSchema } from "../embedding-request.ts";

export const googleEmbeddings = defineEmbeddingProvider({
  name: "google",
  title: "Google Gemini",
  summary: "Google's embedding models, through the Gemini API.",
  credentialFields: googleProvider.credentialFields,
  needs: ["apiKey"],
  account: { name: "google", keyVariable: "GOOGLE_API_KEY" },
  models: ["gemini-embedding-001"],
  config: z.strictObject({
    model: modelField("gemini-embedding-001"),
    credential: credentialField,
    dimensions: dimensionsField,
    baseUrl: baseUrlField("https://proxy.example/v1beta"),
  }),
  aliases: { names: ["googleGenerativeAiEmbeddings"], config: { modelName: "model" } },
  create: async (options) =>
    createHttpEmbeddingModel(
      createGoogleWire(options.baseUrl ?? "https://generativelanguage.googleapis.com/v1beta"),
      options,
    ),
});

const answerSchema = z.object({ embeddings: z.array(z.object({ values: vectorSchema })) });

/** The Gemini API's `batchEmbedContents`. The key goes in a header, never in the address. */
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
