import type { JsonObject } from "@weft/schema";
import { present } from "../agentflow-v2/index.ts";
import type { ClassicScope } from "./scope.ts";

/** A store that a component searches. `storeId` stays empty, with a finding, until a person chooses the store. */
export type StoreSearch = {
  storeId: string;
  topK?: number | undefined;
  /** Its description for a router or a model. */
  name: string;
  description: string;
};

/**
 * The stores at an input. Without one a finding says to choose it. `toPath`: where the id of each stands in the config of
 * the step.
 */
export function toSearches(scope: ClassicScope, input: string, toPath: (index: number) => string): StoreSearch[] {
  const stores = scope.parts(input).map((store, index) => toSearch(store, toPath(index)));
  if (stores.length > 0) return stores;
  scope.report.refuse("store-missing", "No store is wired to it. Choose a document store.", toPath(0));
  return [{ storeId: "", name: "", description: "" }];
}

/** Where a retriever step lists the stores that it searches. */
export function toStorePath(index: number): string {
  return `stores.${index}.storeId`;
}

/** As a native step lists the stores that it searches. */
export function toStoreRows(searches: readonly StoreSearch[]): JsonObject[] {
  return searches.map(({ storeId, topK }) => present({ storeId, topK }));
}

/** As an agent lists what it knows. */
export function toKnowledge(
  { storeId, topK, name, description }: StoreSearch,
  returnSourceDocuments: boolean,
): JsonObject {
  const plain = name
    .toLowerCase()
    .replaceAll(/\s+/g, "_")
    .replaceAll(/[^a-z0-9_-]/g, "")
    .slice(0, 64);
  return present({
    storeId,
    name: plain || "knowledge",
    description: description.slice(0, 4_000),
    topK,
    returnSourceDocuments,
  });
}

/** Where components that stand between a store and what searches it have the store. */
const inner = ["vectorStore", "baseRetriever", "retriever", "vectorStoreRetriever"];

/** The target of a search: a store, or a retriever in front of one. */
export function toSearch(store: ClassicScope, path: string): StoreSearch {
  const { node, settings, report } = store;
  if (node.name === "documentStoreVS") return { ...chosen(store, path), name: node.label, description: "" };
  const base = inner.map((input) => store.part(input)).find((part) => part !== undefined);
  if (base === undefined) return toOwnSearch(store, path);
  const search = toSearch(base, path);
  const topK = toTopK(store) ?? search.topK;
  if (node.name === "vectorStoreRetriever") {
    return { ...search, name: settings.text("name"), description: settings.text("description") };
  }
  report.warn(
    "retriever-plain",
    `What its retriever ${node.name.slice(0, 100)} does with a search is left out: the store is searched plainly. Check that its passages are good enough.`,
  );
  store.part("model")?.ignore("cache");
  return { ...search, topK };
}

/** A store by its id, which stands alone or before its name. */
function chosen({ settings, report }: ClassicScope, path: string): Pick<StoreSearch, "storeId"> {
  const [storeId = ""] = settings.text("selectedStore").trim().split(":", 1);
  if (storeId === "") report.refuse("store-missing", "Its document store is not chosen. Choose one.", path);
  return { storeId };
}

/** Most loaders that a finding describes. */
const maxDescribed = 20;

/** Searches what a component kept itself: a document store takes its place. */
function toOwnSearch(store: ClassicScope, path: string): StoreSearch {
  const { node, report } = store;
  const documents = store.parts("document");
  const topK = toTopK(store) ?? 4;
  const [only, ...others] = documents.filter(({ node: { name } }) => name === "documentStore");
  if (only !== undefined && others.length === 0 && documents.length === 1) {
    store.part("embeddings")?.ignore(...Object.keys(store.part("embeddings")?.node.inputs ?? {}));
    store.part("recordManager");
    return { ...chosen(only, path), topK, name: node.label, description: "" };
  }
  const sentences = [
    `It searches ${describe(store)} directly. Make a document store with the same content and choose it here.`,
    ...documents.slice(0, maxDescribed).map((document) => `Load into it: ${describe(document)}.`),
    ...(documents.length > maxDescribed ? [`Load ${documents.length - maxDescribed} more into it.`] : []),
    ...store.parts("embeddings").map((embeddings) => `Its embedding model was ${describe(embeddings)}.`),
    ...store.parts("recordManager").map((manager) => `Its record manager, ${describe(manager)}, is not needed.`),
  ];
  report.refuse("store-choose", sentences.join(" "), path);
  return { storeId: "", topK, name: node.label, description: "" };
}

function toTopK({ settings }: ClassicScope): number | undefined {
  const most = settings.number("topK");
  return most === undefined || most < 1 ? undefined : Math.min(100, Math.floor(most));
}

/** Inputs that are described themselves, and what only says how something is kept. */
const silent = new Set(["document", "embeddings", "recordManager", "topK", "textSplitter", "credential", "undefined"]);

/** A component in words: its label and what it is set to, with its splitter. Marks its settings as said. */
function describe({ node, settings, part, ignore }: ClassicScope): string {
  const values = settings
    .keys()
    .filter((key) => !silent.has(key) && settings.text(key) !== "similarity")
    .map((key) => `${key.slice(0, 100)} ${withoutSecrets(settings.text(key)).slice(0, 200)}`);
  const splitter = part("textSplitter");
  if (splitter !== undefined) values.push(`split by ${describe(splitter)}`);
  ignore(...Object.keys(node.inputs));
  const label = node.label.slice(0, 100);
  return values.length === 0 ? label : `${label} (${values.slice(0, 15).join(", ")})`;
}

/** Addresses of databases hold passwords, and configuration holds anything. */
function withoutSecrets(text: string): string {
  if (/pass|secret|token|api_?key/i.test(text)) return "…";
  return text.replaceAll(/\/\/[^/@\s]*@/g, "//…@");
}
