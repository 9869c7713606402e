/** Texts to embed, and the purpose: some models prefix questions and passages differently. */
export type EmbeddingRequest = {
  texts: readonly string[];
  purpose: "document" | "query";
  /** Aborting ends the HTTP request at once; `embed` then rejects with the signal's reason. */
  signal: AbortSignal;
};

/**
 * Turns texts into vectors of one length, in the order of the texts.
 * Rejects with a `WeftError` of an `embedding-*` code when the vendor fails. It never retries.
 */
export type EmbeddingModel = {
  /**
   * Vendor and model, such as `openai:text-embedding-3-small`. Stored with every vector: vectors of different ids are
   * never compared.
   */
  readonly id: string;
  /** Most texts per request. */
  readonly maxBatch: number;
  embed(request: EmbeddingRequest): Promise<Float32Array[]>;
  /** Releases its resources, such as a worker. Only its creator calls this. */
  close?(): Promise<void>;
};
