/** Texts to embed, and what for: some models prefix a question otherwise than a passage. */
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
  /** Vendor and model, as `openai:text-embedding-3-small`. Kept with every vector: those of two ids are never compared. */
  readonly id: string;
  /** Most texts of one request. */
  readonly maxBatch: number;
  embed(request: EmbeddingRequest): Promise<Float32Array[]>;
  /** Ends what it holds, such as a worker. Only the one who created it calls this. */
  close?(): Promise<void>;
};
