import type { Usage } from "@weft/schema";

export type RerankRequest = {
  query: string;
  passages: readonly string[];
  /** Aborting ends the request at once; `rerank` then rejects with the signal's reason. */
  signal: AbortSignal;
};

/** `scores`: how well each passage answers the query, from 0 to 1, in the order of the passages. */
export type RerankAnswer = { scores: number[]; usage?: Usage };

/**
 * Scores passages against a query.
 * Rejects with a `WeftError` of a `model-*` code when the vendor fails. It never retries.
 */
export type RerankModel = {
  /** Vendor and model, such as `cohere/rerank-v3.5`. */
  readonly id: string;
  /** Most passages per request. */
  readonly maxPassages: number;
  rerank(request: RerankRequest): Promise<RerankAnswer>;
  /** Releases its resources, such as a worker. Only its creator calls this. */
  close?(): Promise<void>;
};
