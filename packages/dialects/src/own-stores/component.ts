import type { ComponentChoice, Json, JsonObject } from "@weft/schema";

/** A part of a store as its flow describes it: names and settings of the flow's own dialect. */
export type StorePart = { name: string; label: string; inputs: JsonObject };

/** How a part becomes a component of a document store. */
export type PartMapping = {
  /** Name of the component here. */
  name: string;
  /** Its settings here, by the names of the part's inputs. Other inputs are said to have no effect. */
  settings: Readonly<Record<string, string>>;
  /** Inputs that mean nothing here, and whose absence nobody notices. */
  idle?: readonly string[];
  /** Makes of a value what the setting takes; undefined leaves it out. */
  toValue?(setting: string, value: Json): Json | undefined;
};

/** A component, and the inputs of its part that have no effect here. */
export type MappedPart = { choice: ComponentChoice; unused: string[] };

/** What forms leave behind, and what every part may have. */
const silent = new Set(["undefined", "credential", "FLOWISE_CREDENTIAL_ID"]);

/** Takes over what a mapping knows of a part, with its credential. */
export function mapPart({ name: part, inputs }: StorePart, mapping: PartMapping): MappedPart {
  const { name, settings, idle = [], toValue } = mapping;
  const config: JsonObject = {};
  const unused: string[] = [];
  for (const [input, value] of Object.entries(inputs)) {
    if (isUnset(value) || silent.has(input) || idle.includes(input)) continue;
    const setting = Object.hasOwn(settings, input) ? settings[input] : undefined;
    if (setting === undefined) unused.push(input);
    else config[setting] ??= toValue === undefined ? value : (toValue(setting, value) ?? null);
  }
  const set = Object.entries(config).filter(([, value]) => value !== null);
  const preset = presets.get(part);
  return {
    choice: { name, config: Object.fromEntries([...set, ...credentialOf(inputs)]) },
    unused: unused.filter((input) => String(inputs[input]) !== preset?.[input]),
  };
}

function credentialOf({ credential, FLOWISE_CREDENTIAL_ID }: JsonObject): [string, string][] {
  const ids = [credential, FLOWISE_CREDENTIAL_ID];
  return ids
    .flatMap((id): [string, string][] => (typeof id === "string" && id !== "" ? [["credential", id]] : []))
    .slice(0, 1);
}

/** Most settings that are named. */
const maxNamed = 15;

/** A part in words: its label, and what it is set to. */
export function describePart({ name, label, inputs }: StorePart): string {
  const values = Object.entries(inputs)
    .filter(([input, value]) => !isUnset(value) && !silent.has(input) && !wired.includes(input))
    .map(([input, value]) => `${input.slice(0, 100)} ${withoutSecrets(toText(value)).slice(0, 200)}`);
  const title = (label || name).slice(0, 100);
  return values.length === 0 ? title : `${title} (${values.slice(0, maxNamed).join(", ")})`;
}

/** Inputs that other parts are wired to, which are spoken of themselves. */
const wired = ["document", "embeddings", "recordManager", "textSplitter"];

function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Addresses of databases hold passwords, and configuration holds anything. */
function withoutSecrets(text: string): string {
  if (/pass|secret|token|api_?key/i.test(text)) return "…";
  return text.replaceAll(/\/\/[^/@\s]*@/g, "//…@");
}

export function isUnset(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "" || value === false;
}

/**
 * What forms hold before anybody edits them, of inputs that have no effect here: by component and input. Such a value says
 * no more than none.
 */
const presets: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  Object.entries<Record<string, string>>({
    cohereEmbeddings: { inputType: "search_query" },
    mistralAIEmbeddings: { batchSize: "512", stripNewLines: "true" },
    azureOpenAIEmbeddings: { batchSize: "100" },
    AWSBedrockEmbeddings: { batchSize: "50", maxRetries: "5" },
    googleGenerativeAiEmbeddings: { tasktype: "TASK_TYPE_UNSPECIFIED" },
    ollamaEmbedding: { useMMap: "true" },
    couchbase: { textKey: "text", embeddingKey: "embedding" },
    mongoDBAtlas: { textKey: "text", embeddingKey: "embedding" },
    kendra: { region: "us-east-1" },
    elasticsearch: { similarity: "l2_norm" },
    vectara: { sentencesBefore: "2", sentencesAfter: "2" },
    milvus: { milvusPartition: "_default" },
    zep: { baseURL: "http://127.0.0.1:8000", dimension: "1536" },
    qdrant: {
      qdrantVectorDimension: "1536",
      contentPayloadKey: "content",
      metadataPayloadKey: "metadata",
      qdrantSimilarity: "Cosine",
    },
    postgres: { distanceStrategy: "cosine" },
    redis: { contentKey: "content", metadataKey: "metadata", vectorKey: "content_vector" },
    openSearch: { engine: "lucene", spaceType: "l2" },
    weaviate: { weaviateConnectionType: "cloud", weaviateHttpSecure: "true", weaviateGrpcSecure: "true" },
  }),
);
