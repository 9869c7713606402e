import type { JsonObject } from "@weft/schema";
import { present, toCredential } from "../agentflow-v2/index.ts";
import { toModelOf } from "./models.ts";
import type { ClassicScope } from "./scope.ts";

/** What a retriever in front of a store does with a search. */
type RetrieverConverter = (retriever: ClassicScope, base: { topK?: number | undefined }) => JsonObject;

/** The settings of a search that stand for a retriever; undefined for one that has no equal here. */
export function toSearchSettings(retriever: ClassicScope, base: { topK?: number | undefined }): JsonObject | undefined {
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
export function toVariety({ settings }: Pick<ClassicScope, "settings">): JsonObject | undefined {
  if (settings.text("searchType") !== "mmr") return undefined;
  const lambda = settings.number("lambda") ?? usualLambda;
  return { mmrLambda: Math.min(1, Math.max(0, lambda)) };
}
