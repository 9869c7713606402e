import { isDeepStrictEqual } from "node:util";
import { type JsonObject, toOwnStoreReference } from "@weft/schema";
import { present, type Report, toCredential } from "../agentflow-v2/index.ts";
import { describeOwnStore, describePart, type StorePart, type StoreParts, takeFilter } from "../own-stores/index.ts";
import { toModelOf } from "./models.ts";
import type { ClassicScope } from "./scope.ts";

/** A store that a component searches. `storeId` stays empty, with a finding, where a person has to choose the store. */
export type StoreSearch = {
  storeId: string;
  topK?: number | undefined;
  /** Metadata that passages must have. */
  filter?: JsonObject | undefined;
  /** How it is searched, as the settings of a search. */
  search?: JsonObject | undefined;
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

/** The stores that a native step searches, and how: all of them alike. */
export function toStores(searches: readonly StoreSearch[], { warn }: Report): JsonObject {
  const stores = searches.map(({ storeId, topK, filter }) => present({ storeId, topK, filter }));
  const [first, ...others] = searches.map(({ search = {} }) => search);
  if (others.some((other) => !isDeepStrictEqual(other, first))) {
    warn(
      "retriever-plain",
      "Its stores are searched in different ways, and here plainly. Set under each document store how it is searched.",
    );
    return { stores };
  }
  return present({ stores, search: first === undefined || isEmpty(first) ? undefined : first });
}

function isEmpty(settings: JsonObject): boolean {
  return Object.keys(settings).length === 0;
}

/** As an agent lists what it knows. */
export function toKnowledge(
  { storeId, topK, filter, search = {}, name, description }: StoreSearch,
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
    filter,
    search: isEmpty(search) ? undefined : search,
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
  if (base === undefined) return isRetriever.test(node.name) ? toForeignSearch(store, path) : toOwnSearch(store, path);
  const search = toSearch(base, path);
  const topK = toTopK(store) ?? search.topK;
  if (node.name === "vectorStoreRetriever") {
    return { ...search, name: settings.text("name"), description: settings.text("description") };
  }
  const settingsOfSearch = toSearchSettings(store, search);
  if (settingsOfSearch !== undefined) return { ...search, topK, search: { ...search.search, ...settingsOfSearch } };
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

/** Components that search and keep nothing. */
const isRetriever = /retriever/i;

/** Searches something outside that no store stands behind. */
function toForeignSearch(store: ClassicScope, path: string): StoreSearch {
  const topK = toTopK(store) ?? 4;
  const what = describePart(toPart(store));
  store.report.refuse(
    "store-choose",
    `It searches ${what} directly. Make a document store with the same content and choose it here.`,
    path,
  );
  return { storeId: "", topK, name: store.node.label, description: "" };
}

/** Searches what a component kept itself: a document store that belongs to the agent takes its place. */
function toOwnSearch(store: ClassicScope, path: string): StoreSearch {
  const { node } = store;
  const documents = store.parts("document");
  const topK = toTopK(store) ?? 4;
  const [only, ...others] = documents.filter(({ node: { name } }) => name === "documentStore");
  if (only !== undefined && others.length === 0 && documents.length === 1) {
    const embeddings = toEmbeddings(store);
    embeddings?.ignore(...Object.keys(embeddings.node.inputs));
    store.part("recordManager");
    return { ...chosen(only, path), topK, name: node.label, description: "" };
  }
  const parts = toParts(store, documents);
  const search = toVariety(store);
  const plain = search === undefined ? parts.store : withoutVariety(parts.store);
  const { part, filter } = takeFilter(plain, store.settings);
  const own = describeOwnStore({ ...parts, store: part }, store.report.warn);
  store.conversion.stores.set(own.key, own);
  return { storeId: toOwnStoreReference(own), topK, filter, search, name: node.label, description: "" };
}

/** The store without what is now a setting of the search. */
function withoutVariety(store: StorePart): StorePart {
  const { searchType: _type, lambda: _lambda, fetchK: _fetchK, ...inputs } = store.inputs;
  return { ...store, inputs };
}

/** The store with all that is wired to it, whose settings are reported with it. */
function toParts(store: ClassicScope, documents: readonly ClassicScope[]): StoreParts {
  const embeddings = toEmbeddings(store);
  const manager = store.part("recordManager");
  const [model] = store.parts("model");
  model?.ignore(...Object.keys(model.node.inputs));
  return {
    key: store.node.id,
    store: toPart(store),
    embeddings: embeddings && toPart(embeddings),
    recordManager: manager && toPart(manager),
    documents: documents.map((loader) => {
      const splitter = loader.part("textSplitter");
      return { loader: toPart(loader), splitter: splitter && toPart(splitter) };
    }),
  };
}

/** The embedding model of a store, behind the cache that may stand before it. */
function toEmbeddings(store: ClassicScope): ClassicScope | undefined {
  const embeddings = store.part("embeddings");
  if (embeddings === undefined || !isEmbeddingCache.test(embeddings.node.name)) return embeddings;
  embeddings.ignore(...Object.keys(embeddings.node.inputs));
  embeddings.report.warn(
    "cache-left-out",
    "Its cache is left out: passages that have not changed are not embedded again in any case. Remove the cache.",
  );
  return embeddings.part("embeddings");
}

const isEmbeddingCache = /Embeddings?Cache$/;

function toPart({ node: { name, label, inputs }, ignore }: ClassicScope): StorePart {
  ignore(...Object.keys(inputs));
  return { name, label, inputs };
}

function toTopK({ settings }: ClassicScope): number | undefined {
  const most = settings.number("topK") ?? settings.number("topN") ?? settings.number("maxK") ?? settings.number("k");
  return most === undefined || most < 1 ? undefined : Math.min(100, Math.floor(most));
}

/** What a retriever in front of a store does with a search. */
type RetrieverConverter = (retriever: ClassicScope, base: { topK?: number | undefined }) => JsonObject;

/** The settings of a search that stand for a retriever; undefined for one that has no equal here. */
function toSearchSettings(retriever: ClassicScope, base: { topK?: number | undefined }): JsonObject | undefined {
  const { name } = retriever.node;
  return Object.hasOwn(converters, name) ? converters[name]?.(retriever, base) : undefined;
}

const usualCandidates = 30;
const mostCandidates = 200;
const mostVariants = 5;

function judgedBy(provider: string): RetrieverConverter {
  return ({ settings, report, ignore }, { topK = 0 }) => {
    const credential = toCredential(settings);
    if (credential === undefined) {
      report.warn(
        "reranker-credential-missing",
        "Its reranker has no credential: exports leave them out. Choose one: without it, passages keep the order of the search.",
      );
    }
    ignore("maxChunksPerDoc", "topN");
    const model = settings.text("model");
    const candidates = Math.min(mostCandidates, Math.max(usualCandidates, topK));
    return { rerank: present({ provider, model: model || undefined, credential, candidates }) };
  };
}

/** As many wordings as it asks for, beside the question itself. */
function withVariants(usual: number): RetrieverConverter {
  return (retriever) => {
    const { settings, ignore } = retriever;
    ignore("modelPrompt", "c");
    const variants = Math.min(mostVariants, Math.max(1, Math.floor(settings.number("queryCount") ?? usual)));
    return { variants, ...toChatModel(retriever) };
  };
}

const hypothetical: RetrieverConverter = (retriever) => {
  const { settings, report, ignore } = retriever;
  ignore("promptKey");
  if (settings.text("customPrompt").trim() !== "") {
    report.warn(
      "hyde-prompt",
      "Its own prompt for imagined answers is left out: the search has one of its own. Check that its passages are good enough.",
    );
  }
  return { hypothetical: true, ...toChatModel(retriever) };
};

/** Thresholds there compare vectors by a model of the vendor; relevance here begins to be fair at this. */
const fairRelevance = 0.4;

const aboveThreshold: RetrieverConverter = (retriever) => {
  const { report, ignore, part } = retriever;
  const embeddings = part("embeddings");
  embeddings?.ignore(...Object.keys(embeddings.node.inputs));
  ignore("minSimilarityScore", "similarityThreshold", "kIncrement");
  report.warn(
    "threshold-other-scale",
    `Its threshold compares vectors. Here relevance is compared, and passages below ${fairRelevance} are left out. Try questions under Query of the document store, and set the threshold by what they show.`,
  );
  return { scoreThreshold: fairRelevance };
};

const usualTopK = 4;
const mostJudged = 50;

const keptByModel: RetrieverConverter = (retriever, { topK = usualTopK }) => {
  retriever.report.warn(
    "filter-by-relevance",
    `Its model kept of each passage what is about the question. Here the model judges passages, those below ${fairRelevance} are left out, and the others stay whole. Set the threshold by what questions show under Query of the document store.`,
  );
  const candidates = Math.min(mostJudged, topK);
  return { rerank: { provider: "chat-model", candidates }, scoreThreshold: fairRelevance, ...toChatModel(retriever) };
};

/** Its key is one of Azure, and its address stands in the credential: nothing may be sent to Cohere itself. */
const judgedOnAzure: RetrieverConverter = ({ report, ignore }) => {
  ignore("model", "maxChunksPerDoc");
  report.warn(
    "reranker-on-azure",
    "Its reranker is a model of Cohere on Azure, and passages keep the order of the search without it. Choose Cohere as the reranker of the search, the name of the deployment as its model, the address of the deployment up to /v2 as its base URL, and a credential for Cohere with the key of Azure.",
  );
  return {};
};

const filteredByModel: RetrieverConverter = ({ report, ignore, part }) => {
  part("model")?.ignore("cache");
  ignore("dynamicMetadataFilterRetrieverPrompt", "dynamicMetadataFilterRetrieverStructuredOutput");
  report.warn(
    "filter-from-question",
    "Its model drew a metadata filter from the question, and here the store is searched without one. Put an LLM step with structured output before the search, and name its values as {{ … }} in the filter of the search.",
  );
  return {};
};

const converters: Readonly<Record<string, RetrieverConverter>> = {
  cohereRerankRetriever: judgedBy("cohere"),
  JinaRerankRetriever: judgedBy("jina"),
  voyageAIRerankRetriever: judgedBy("voyage"),
  multiQueryRetriever: withVariants(3),
  RRFRetriever: withVariants(4),
  HydeRetriever: hypothetical,
  similarityThresholdRetriever: aboveThreshold,
  embeddingsFilterRetriever: aboveThreshold,
  llmFilterRetriever: keptByModel,
  AzureRerankRetriever: judgedOnAzure,
  extractMetadataRetriever: filteredByModel,
};

/** Its vendor, model, address and credential: parameters have no place in a search. */
function toChatModel({ part }: ClassicScope): JsonObject {
  const model = part("model");
  if (model === undefined) return {};
  model.ignore("cache");
  const { provider, model: id, baseUrl, credential } = toModelOf(model);
  return { chatModel: present({ provider, model: id, baseUrl, credential }) };
}

const usualLambda = 0.5;

/** Maximal marginal relevance, a setting of stores themselves. */
function toVariety({ settings }: ClassicScope): JsonObject | undefined {
  if (settings.text("searchType") !== "mmr") return undefined;
  const lambda = settings.number("lambda") ?? usualLambda;
  return { mmrLambda: Math.min(1, Math.max(0, lambda)) };
}
