import { agents } from "./agents.ts";
import { apiChains } from "./api-chains.ts";
import { chains } from "./chains.ts";
import { engines } from "./engines.ts";
import { functions } from "./functions.ts";
import { retrieval } from "./retrieval.ts";
import { sqlChains } from "./sql-chain.ts";
import type { StepConverter } from "./step.ts";
import { texts } from "./texts.ts";
import { search, variables } from "./variables.ts";

export { filling } from "./filling.ts";

/** Retrievers that may also give their passages to texts. */
const retrievers = [
  "RRFRetriever",
  "multiQueryRetriever",
  "embeddingsFilterRetriever",
  "customRetriever",
  "voyageAIRerankRetriever",
  "cohereRerankRetriever",
  "AzureRerankRetriever",
  "JinaRerankRetriever",
  "HydeRetriever",
  "llmFilterRetriever",
  "extractMetadataRetriever",
  "similarityThresholdRetriever",
];

/** Components that do their work as steps, by name. All others are settings of the steps that use them. */
export const stepTable: ReadonlyMap<string, StepConverter> = new Map([
  ...Object.entries({
    ...chains,
    ...agents,
    ...retrieval,
    ...engines,
    ...apiChains,
    ...sqlChains,
    ...functions,
    ...variables,
    ...texts,
  }),
  ...retrievers.map((name) => [name, search] as const),
]);
