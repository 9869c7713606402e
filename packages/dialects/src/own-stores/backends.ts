import type { PartMapping } from "./component.ts";

const model = { modelName: "model" };
const number: PartMapping["toValue"] = (setting, value) => {
  if (setting !== "dimensions") return value;
  const count = Number(value);
  return Number.isInteger(count) && count > 0 ? count : undefined;
};

const openai: PartMapping = {
  name: "openai",
  settings: { ...model, basepath: "baseUrl", dimensions: "dimensions" },
  toValue: number,
};
const azure: PartMapping = { name: "azure-openai", settings: { ...model, basepath: "baseUrl" } };

/** Embedding components with a counterpart here. */
export const embeddings: ReadonlyMap<string, PartMapping> = new Map(
  Object.entries<PartMapping>({
    openAIEmbeddings: openai,
    openAIEmbeddingsCustom: openai,
    openAIEmbedding_LlamaIndex: openai,
    azureOpenAIEmbeddings: azure,
    azureOpenAIEmbeddingsLlamaIndex: azure,
    ollamaEmbedding: { name: "ollama", settings: { ...model, baseUrl: "baseUrl" } },
    localAIEmbeddings: { name: "openai-compatible", settings: { ...model, basePath: "baseUrl" } },
    googleGenerativeAiEmbeddings: { name: "google", settings: model },
    googlevertexaiEmbeddings: { name: "vertex", settings: model },
    mistralAIEmbeddings: { name: "mistral", settings: { ...model, overrideEndpoint: "baseUrl" } },
    cohereEmbeddings: { name: "cohere", settings: model },
    AWSBedrockEmbeddings: {
      name: "bedrock",
      settings: { customModel: "model", model: "model", region: "baseUrl", endpointHost: "baseUrl" },
      toValue: (setting, value) => (setting === "baseUrl" ? toBedrockUrl(String(value)) : value),
    },
  }),
);

/** The address of a region, or of a host. */
function toBedrockUrl(text: string): string {
  if (text.includes("://")) return text;
  return text.includes(".") ? `https://${text}` : `https://bedrock-runtime.${text}.amazonaws.com`;
}

/**
 * Vector stores that go on keeping the vectors, in a collection of the document store's own. All others are kept by the
 * platform.
 */
export const vectorStores: ReadonlyMap<string, PartMapping> = new Map(
  Object.entries<PartMapping>({
    qdrant: { name: "qdrant", settings: { qdrantServerUrl: "url" } },
    postgres: {
      name: "pgvector",
      settings: { host: "host", port: "port", database: "database", ssl: "ssl" },
      toValue: (setting, value) => (setting === "ssl" ? String(value) === "true" : value),
    },
  }),
);

const records: PartMapping = {
  name: "built-in",
  settings: { cleanup: "cleanup", sourceIdKey: "sourceIdKey" },
  idle: ["host", "port", "database", "ssl", "additionalConfig", "tableName", "namespace"],
};

/** What remembers which passages were written: where it does is the platform's matter. */
export const recordManagers: ReadonlyMap<string, PartMapping> = new Map(
  ["postgresRecordManager", "MySQLRecordManager", "SQLiteRecordManager"].map((name) => [name, records]),
);
