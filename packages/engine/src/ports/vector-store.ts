import type { JsonObject } from "@weft/schema";

/** A chunk and its vector, as a vector store keeps them. */
export type VectorRecord = {
  /** A uuid, unique within the collection. */
  id: string;
  vector: Float32Array;
  text: string;
  metadata: JsonObject;
};

export type VectorMatch = {
  id: string;
  text: string;
  metadata: JsonObject;
  /** Greater is nearer. Comparable within one search only. */
  score: number;
  /** By how many standard deviations its vector is nearer than those of the other candidates, where a search fuses two. */
  prominence?: number;
};

export type VectorSearch = {
  vector: Float32Array;
  /** The question itself, for keyword and hybrid search. */
  text: string;
  topK: number;
  /** `hybrid` where the store can: vector and keyword ranks fused. */
  mode: "vector" | "keyword" | "hybrid";
  /** Only records whose metadata meets it, as `readFilter` of the schema reads it. */
  filter?: JsonObject | undefined;
  signal: AbortSignal;
};

/**
 * Where the vectors of one document store are. All vectors of a collection have the same embedder and dimension: what
 * does not fit is refused with `embedding-mismatch`. Rejects with `vector-store-failed` when the service fails,
 * and with the signal's reason. It never retries.
 */
export type VectorCollection = {
  /** Writes or replaces, by id. Durable when it resolves; repeating it changes nothing. */
  upsert(records: readonly VectorRecord[], options: { signal: AbortSignal }): Promise<void>;
  /** Ids that are not there are no failure. */
  delete(ids: readonly string[], options: { signal: AbortSignal }): Promise<void>;
  /** The best first; at most `topK`; an empty collection has none. */
  search(search: VectorSearch): Promise<VectorMatch[]>;
  count(options: { signal: AbortSignal }): Promise<number>;
  /** Removes the collection; one that is not there is no failure. */
  drop(options: { signal: AbortSignal }): Promise<void>;
};

/** A collection by its name, as the vectors of this embedder and length. */
export type CollectionName = {
  /** `[A-Za-z0-9_-]{1,64}`. */
  collection: string;
  embedderId: string;
  dimension: number;
};
