import type { DocumentStore, StoredLoader } from "@weft/client";
import type { JsonObject } from "@weft/schema";

export type StoreStatus = DocumentStore["status"];
export type LoaderStatus = Exclude<StoreStatus, "EMPTY">;

/** An adapter by its name in the catalogue, and its settings. */
export type Choice = { name: string; config: JsonObject };

export type StoredFile = { id: string; name: string; size: number };

/** A loader of a store. */
export type LoaderView = {
  id: string;
  /** Its kind, as the catalogue names it. */
  type: string;
  name: string;
  /** A readable source: file names, an address, the beginning of a text. */
  source: string;
  status: LoaderStatus;
  /** The last error; empty if there was none. */
  error: string;
  totalChunks: number;
  config: JsonObject;
  splitter: Choice;
  metadata: JsonObject;
  files: readonly StoredFile[];
  updatedDate: string;
};

/** A document store with everything parsed that the API gives as JSON text. */
export type StoreView = Pick<
  DocumentStore,
  "id" | "name" | "description" | "status" | "totalChunks" | "updatedDate"
> & {
  loaders: readonly LoaderView[];
  /** Ids of agents and assistants. */
  whereUsed: readonly string[];
  embedding: Choice;
  vectorStore: Choice;
  recordManager: Choice;
};

/** The defaults of a store without configuration. */
const standards = { embedding: "embedded", vectorStore: "embedded", recordManager: "built-in" } as const;

export function toStoreView(store: DocumentStore): StoreView {
  const { id, name, description, status, totalChunks, updatedDate } = store;
  return {
    ...{ id, name, description, status, totalChunks, updatedDate },
    loaders: (JSON.parse(store.loaders) as StoredLoader[]).map(toLoaderView),
    whereUsed: JSON.parse(store.whereUsed) as string[],
    embedding: toChoice(store.embeddingConfig, standards.embedding),
    vectorStore: toChoice(store.vectorStoreConfig, standards.vectorStore),
    recordManager: toChoice(store.recordManagerConfig, standards.recordManager),
  };
}

/** A loader under the names of existing clients, as the builder calls things. */
export function toLoaderView(loader: StoredLoader): LoaderView {
  const text = (name: string) => (typeof loader[name] === "string" ? loader[name] : "");
  const object = (name: string) => (loader[name] ?? {}) as JsonObject;
  return {
    id: text("id"),
    type: text("loaderId"),
    name: text("loaderName"),
    source: text("source"),
    status: text("status") as LoaderStatus,
    error: text("error"),
    totalChunks: Number(loader.totalChunks ?? 0),
    config: object("loaderConfig"),
    splitter: { name: text("splitterId"), config: object("splitterConfig") },
    metadata: object("metadata"),
    files: (loader.files ?? []) as StoredFile[],
    updatedDate: text("updatedDate"),
  };
}

function toChoice(text: string, standard: string): Choice {
  const { name, config } = JSON.parse(text || "{}") as Partial<Choice>;
  return { name: name || standard, config: config ?? {} };
}
