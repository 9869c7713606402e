import { z } from "zod";
import { apiKeyField, baseUrlField, defineProvider } from "../define-provider.ts";
import { geminiParameters, toThinkingOfGemini } from "../google/google.ts";
import {
  createHttpEmbeddingModel,
  type EmbeddingWire,
  embeddingConfigFields as fields,
  vectorSchema,
} from "../http-embedding-model.ts";

const plain = { secret: false, required: false } as const;

export const vertex = defineProvider({
  name: "vertex",
  title: "Google Vertex AI",
  account: {
    name: "vertex",
    hosts: ["*.googleapis.com"],
    keyVariables: ["VERTEX_SERVICE_ACCOUNT"],
    address: { variable: "VERTEX_REGION", expected: "a region, such as europe-west4, or global", parse: toVertexUrl },
  },
  needs: ["apiKey"],
  credentialFields: [
    {
      ...apiKeyField({ help: "The JSON of the account's key, or an API key of Vertex AI.", required: true }),
      title: "Service account",
    },
    {
      name: "projectId",
      aliases: ["projectID"],
      title: "Project ID",
      help: "If empty, that of the service account.",
      ...plain,
    },
    { name: "region", title: "Region", help: "If empty, that of the flow, else global.", ...plain },
    baseUrlField("Only for a proxy in front of Vertex AI, as in https://proxy.example."),
  ],
  existingCredentials: [
    {
      name: "googleVertexAuth",
      title: "Google Vertex AI",
      keyField: "googleApplicationCredential",
      otherFields: [{ name: "projectID", title: "Project ID", ...plain }],
    },
  ],
  addressOf: ({ region = "" }) => toVertexUrl(region),
  chat: {
    summary: "Google's Gemini models on Google Cloud, with a service account.",
    acceptsImages: true,
    models: ["gemini-2.5-flash", "gemini-2.5-pro", "gemini-2.5-flash-lite"],
    parameters: geminiParameters,
    async create(options) {
      const { createGoogle } = await import("@ai-sdk/google");
      const { createAiSdkModel } = await import("../ai-sdk/ai-sdk-model.ts");
      const { createVertexFetch, placeholderUrl } = await import("./vertex-fetch.ts");
      const { model, apiKey = "" } = options;
      const context = { id: `vertex/${model}`, secrets: [apiKey] };
      const fetch = createVertexFetch(options, context);
      // The library recognises Vertex by this name, and adapts to its differences.
      const google = createGoogle({ apiKey, baseURL: placeholderUrl, fetch, name: "google.vertex.chat" });
      return createAiSdkModel({
        id: context.id,
        model: google.chat(model),
        dialect: {
          optionsKey: "googleVertex",
          marksToolErrors: true,
          asksAtTheEnd: true,
          toThinking: toThinkingOfGemini,
        },
        secrets: [apiKey],
      });
    },
  },
  embeddings: {
    summary: "Google's embedding models on Google Cloud, with a service account.",
    models: ["text-embedding-005", "text-multilingual-embedding-002"],
    config: z.strictObject({
      model: fields.model("text-embedding-005"),
      credential: fields.credential,
      dimensions: fields.dimensions,
      baseUrl: fields.baseUrl("https://europe-west4-aiplatform.googleapis.com"),
    }),
    aliases: { names: ["googlevertexaiEmbeddings"], config: { modelName: "model" } },
    async create(options) {
      const { createVertexFetch, placeholderUrl } = await import("./vertex-fetch.ts");
      const { model, apiKey = "" } = options;
      const context = { id: `vertex/${model}`, secrets: [apiKey], family: "embedding" as const };
      const fetch = createVertexFetch(options, context);
      return createHttpEmbeddingModel(createVertexWire(placeholderUrl), { ...options, fetch });
    },
  },
});

/** The address of a region; undefined for an unknown one. */
function toVertexUrl(region: string): string | undefined {
  if (region === "global") return "https://aiplatform.googleapis.com";
  return /^[a-z]+-[a-z]+\d{1,2}$/.test(region) ? `https://${region}-aiplatform.googleapis.com` : undefined;
}

const answerSchema = z.object({ predictions: z.array(z.object({ embeddings: z.object({ values: vectorSchema }) })) });

/** Vertex AI's `predict` of a text embedding model. */
function createVertexWire(baseUrl: string): EmbeddingWire {
  return {
    vendor: "vertex",
    maxBatch: 100,
    url: (model) => `${baseUrl}/models/${encodeURIComponent(model)}:predict`,
    headers: () => ({}),
    body: ({ texts, purpose }, { dimensions }) => ({
      instances: texts.map((text) => ({
        content: text === "" ? " " : text,
        task_type: purpose === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT",
      })),
      parameters: { autoTruncate: true, outputDimensionality: dimensions },
    }),
    read: (answer) => answerSchema.safeParse(answer).data?.predictions.map(({ embeddings }) => embeddings.values),
  };
}
