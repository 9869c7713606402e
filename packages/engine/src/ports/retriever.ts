import type { Document } from "@weft/schema";

export type Retrieval = {
  /** Id of a document store. */
  storeId: string;
  query: string;
  /** Most documents. Absent: as the store is set up. */
  topK?: number | undefined;
  signal: AbortSignal;
};

/**
 * Searches document stores.
 * `retrieve` resolves with the best passages first, and rejects with `retrieval-failed` when the store cannot be searched.
 */
export type Retriever = { retrieve(retrieval: Retrieval): Promise<Document[]> };
