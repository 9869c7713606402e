import { type JsonObject, type OwnStore, type OwnStoreLoader, toOwnStoreReference } from "@weft/schema";
import { describePart, isUnset, mapPart, type PartMapping, type StorePart } from "./component.ts";
import { fileInputs, loaders, sourceInputs, splitters } from "./documents.ts";

/** A vector store of a flow with what is wired to it. */
export type StoreParts = {
  /** The id of what holds it. */
  key: string;
  store: StorePart;
  embeddings?: StorePart | undefined;
  recordManager?: StorePart | undefined;
  documents: readonly { loader: StorePart; splitter?: StorePart | undefined }[];
};

/** Says what differs. Each sentence ends with what to do about it. */
type Warn = (code: string, message: string) => void;

/** Inputs of vector stores that are read elsewhere, or say no more than their absence. */
const ofSearch = ["document", "embeddings", "recordManager", "model", "topK", "vectorStore", "embeddingModel"];
/** Keeps nothing that a new store would not have. */
const ownMemory = new Set(["memoryVectorStore", "faiss", "simpleStoreLlamaIndex"]);
/** Most loaders of one store. */
const maxLoaders = 100;

/** The document store that a flow's own vector store becomes. Says what of it differs or does not come along. */
export function describeOwnStore(parts: StoreParts, warn: Warn): OwnStore {
  const { store } = parts;
  const unused: string[] = [];
  const take = (part: StorePart, mapping: PartMapping) => {
    const { choice, unused: more } = mapPart(part, mapping);
    unused.push(...more);
    return choice;
  };
  const kept = vectorStores.get(store.name);
  const vectorStore = take(storePartOf(store), kept ?? { name: "", settings: {} });
  warn("store-own", toOwnSentence(store, kept !== undefined));
  const described: OwnStore = {
    key: parts.key,
    label: store.label.slice(0, 200),
    vectorStore: kept && vectorStore,
    embedding: takeEmbeddings(parts.embeddings, { take, warn }),
    recordManager: takeKnown(parts.recordManager, recordManagers, take),
    splitter: takeSplitter(parts.documents.find(({ splitter }) => splitter !== undefined)?.splitter, { take, warn }),
    loaders: takeLoaders(parts.documents, { take, warn }),
  };
  warnOfUnused([...new Set(unused)], warn);
  return described;
}

type Taking = { take(part: StorePart, mapping: PartMapping): { name: string; config: JsonObject }; warn: Warn };

function storePartOf({ inputs, ...store }: StorePart): StorePart {
  const own = Object.entries(inputs).filter(
    ([name, value]) => !ofSearch.includes(name) && !(name === "searchType" && value === "similarity"),
  );
  return { ...store, inputs: Object.fromEntries(own) };
}

function toOwnSentence({ name, label }: StorePart, isKept: boolean): string {
  const what = label.slice(0, 100) || name.slice(0, 100);
  const sentences = [
    `Its vector store "${what}" becomes a document store that belongs to the agent.`,
    ...(isKept ? ["Vectors stay in the same database, in a collection of their own."] : []),
    "Upsert it once, under Document stores or with POST /api/v1/vector/upsert/<id of the agent>: until then searches find nothing.",
    ...(ownMemory.has(name) ? [] : ["What the vector store holds now is not read."]),
  ];
  return sentences.join(" ");
}

function takeKnown(
  part: StorePart | undefined,
  known: ReadonlyMap<string, PartMapping>,
  take: Taking["take"],
): ReturnType<Taking["take"]> | undefined {
  const mapping = part && known.get(part.name);
  return part && mapping && take(part, mapping);
}

function takeEmbeddings(part: StorePart | undefined, { take, warn }: Taking) {
  const found = takeKnown(part, embeddings, take);
  if (found === undefined) {
    const why =
      part === undefined ? "It has no embedding model" : `Its embedding model ${describePart(part)} is not known here`;
    warn(
      "store-embeddings",
      `${why}, so the built-in one is used. To use another, choose it in the document store before you upsert it.`,
    );
  }
  return found;
}

function takeLoaders(documents: StoreParts["documents"], { take, warn }: Taking): OwnStoreLoader[] {
  if (documents.length > maxLoaders) {
    const more = documents.length - maxLoaders;
    warn(
      "store-loaders-many",
      `It has ${more} more loaders than the ${maxLoaders} that are kept. Add them under Document stores.`,
    );
  }
  return documents.slice(0, maxLoaders).flatMap(({ loader, splitter }) => {
    const mapping = loaders.get(loader.name);
    if (mapping === undefined) {
      warn(
        "store-loader",
        `Its loader ${describePart(loader)} is not available here. Add its documents to the document store in another way, such as an upload.`,
      );
      return [];
    }
    const { inputs } = loader;
    const source = sourceInputs.filter((input) => !isUnset(inputs[input]));
    if (source.some((input) => isElsewhere(input, inputs))) {
      warn(
        "store-files",
        `The files of its loader ${describePart(loader)} are not in the flow. Upload them to the document store, unless an import from Flowise brought them.`,
      );
      return [];
    }
    // Callers bring what an empty loader loads.
    if (source.length === 0) return [];
    return [
      {
        label: loader.label.slice(0, 500),
        loader: take(loader, mapping),
        splitter: takeSplitter(splitter, { take, warn }),
      },
    ];
  });
}

/** Whether an input names files of another server in place of holding them. */
function isElsewhere(input: string, inputs: JsonObject): boolean {
  const value = inputs[input];
  return fileInputs.includes(input) && !(typeof value === "string" ? value : JSON.stringify(value)).includes("data:");
}

/** The splitter of texts; undefined where the platform's own is meant. */
function takeSplitter(part: StorePart | undefined, { take, warn }: Taking) {
  const found = takeKnown(part, splitters, take);
  if (part !== undefined && found === undefined) {
    warn(
      "store-splitter",
      `Its text splitter ${describePart(part)} is not available here, so texts are split at paragraphs and sentences. Check the passages in the document store.`,
    );
  }
  return found;
}

function warnOfUnused(unused: readonly string[], warn: Warn): void {
  if (unused.length === 0) return;
  const names = unused.slice(0, 20).map((name) => name.slice(0, 100));
  warn(
    "store-settings-ignored",
    `These settings have no effect on its document store: ${names.join(", ")}. Check that the answers do not need them.`,
  );
}

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
const embeddings: ReadonlyMap<string, PartMapping> = new Map(
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
const vectorStores: ReadonlyMap<string, PartMapping> = new Map(
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
const recordManagers: ReadonlyMap<string, PartMapping> = new Map(
  ["postgresRecordManager", "MySQLRecordManager", "SQLiteRecordManager"].map((name) => [name, records]),
);

/** The step that uploads to an own store go through. Nothing leads to it: runs only search the store. */
export function toStoreStep(store: OwnStore): { type: string; label: string; config: JsonObject } {
  const { label, splitter } = store;
  const config = { storeId: toOwnStoreReference(store), ...(splitter && { splitter: { ...splitter } }) };
  return { type: "vector-store", label, config };
}
