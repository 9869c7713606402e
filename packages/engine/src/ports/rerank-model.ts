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
 * Judges passages by a query.
 * Rejects with a `WeftError` of a `model-*` code when the vendor fails. It never retries.
 */
export type RerankModel = {
  /** Vendor and model, as `cohere/rerank-v3.5`. */
  readonly id: string;
  /** Most passages of one request. */
  readonly maxPassages: number;
  rerank(request: RerankRequest): Promise<RerankAnswer>;
  /** Ends what it holds, such as a worker. Only the one who created it calls this. */
  close?(): Promise<void>;
};
