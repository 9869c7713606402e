import type { Document, JsonObject } from "@weft/schema";

export type Retrieval = {
  /** Id of a document store, or a reference to one of the agent's own. */
  storeId: string;
  /** The agent that asks. Absent: none, so that no store is its own. */
  agentId?: string;
  query: string;
  /** Most documents. Absent: as the store is set up. */
  topK?: number | undefined;
  /** What the metadata of documents must meet, as `readFilter` of the schema reads it. Absent: anything. */
  filter?: JsonObject | undefined;
  signal: AbortSignal;
};

/**
 * Searches document stores.
 * `retrieve` resolves with the best passages first, and rejects with `retrieval-failed` when the store cannot be searched.
 */
export type Retriever = { retrieve(retrieval: Retrieval): Promise<Document[]> };

export type DocumentWrite = {
  /** Id of a document store, or a reference to one of the agent's own. */
  storeId: string;
  /** The agent that asks. Absent: none, so that no store is its own. */
  agentId?: string;
  text: string;
  metadata: JsonObject;
  signal: AbortSignal;
};

/** What a write came to. */
type WrittenDocuments = { numAdded: number; numUpdated: number; numDeleted: number; numSkipped: number };

/**
 * Writes texts into document stores. The same text twice is there once: a repetition adds nothing.
 * `write` resolves when the text can be found, and rejects with what the store or its embedding model fails with.
 */
export type DocumentWriter = { write(write: DocumentWrite): Promise<WrittenDocuments> };
