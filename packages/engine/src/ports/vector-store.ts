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
  /**
   * How many standard deviations its vector is nearer than those of the other candidates, in a search that fuses two
   * rankings.
   */
  prominence?: number;
};

export type VectorSearch = {
  vector: Float32Array;
  /** The question itself, for keyword and hybrid search. */
  text: string;
  topK: number;
  /** `hybrid` fuses vector and keyword ranks, if the store supports it. */
  mode: "vector" | "keyword" | "hybrid";
  /** Only records whose metadata matches, as `readFilter` of the schema reads it. */
  filter?: JsonObject | undefined;
  signal: AbortSignal;
};

/**
 * The vectors of one document store. All of them have the same embedder and dimension: a mismatch is rejected with
 * `embedding-mismatch`. Rejects with `vector-store-failed` when the service fails, and with the signal's reason. It
 * never retries.
 */
export type VectorCollection = {
  /** Inserts or replaces, by id. Durable when it resolves; idempotent. */
  upsert(records: readonly VectorRecord[], options: { signal: AbortSignal }): Promise<void>;
  /** Unknown ids are ignored. */
  delete(ids: readonly string[], options: { signal: AbortSignal }): Promise<void>;
  /** Best first; at most `topK`; empty for an empty collection. */
  search(search: VectorSearch): Promise<VectorMatch[]>;
  count(options: { signal: AbortSignal }): Promise<number>;
  /** Removes the collection; a missing one is not an error. */
  drop(options: { signal: AbortSignal }): Promise<void>;
};

/** A collection by name, for vectors of this embedder and dimension. */
export type CollectionName = {
  /** `[A-Za-z0-9_-]{1,64}`. */
  collection: string;
  embedderId: string;
  dimension: number;
};
