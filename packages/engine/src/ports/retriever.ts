import type { Document, HistoryMessage, Json, JsonObject, RetrievalSettings } from "@weft/schema";

export type Retrieval = {
  /** Searched side by side; what they find is one list. */
  stores: readonly StoreToSearch[];
  /** The agent that asks. Absent: none, so that no store is its own. */
  agentId?: string;
  query: string;
  /** Most documents of all stores together. Absent: what each store gives. */
  topK?: number | undefined;
  /** What is absent is as each store is set up. */
  settings?: RetrievalSettings | undefined;
  /** The messages before the query, oldest first. Absent: the query stands alone. */
  history?: () => Promise<readonly HistoryMessage[]>;
  /** Makes a model's call. Absent: it is just made. */
  ask?: AskModelOnce;
  signal: AbortSignal;
};

export type StoreToSearch = {
  /** Id of a document store, or a reference to one of the agent's own. */
  storeId: string;
  /** Most documents. Absent: as the store is set up. */
  topK?: number | undefined;
  /** What the metadata of documents must meet, as `readFilter` of the schema reads it. Absent: anything. */
  filter?: JsonObject | undefined;
};

/** A run makes the call of a key once, however often it is replayed. `name`: id of the model. */
export type AskModelOnce = <T extends Json>(
  call: { key: string; name: string; input: JsonObject },
  make: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** What a search could not do, although it found what it could. */
export type RetrievalWarning = { code: string; message: string };

export type Retrieved = {
  /** The best first; their metadata has what `withRelevance` of the schema adds. */
  documents: Document[];
  warnings: readonly RetrievalWarning[];
  /** What to tell a model where there were passages but none of enough relevance. */
  nothing?: string;
};

/**
 * Searches document stores.
 * `retrieve` rejects with `retrieval-failed` when no store can be searched; of several the others answer, with a warning.
 */
export type Retriever = { retrieve(retrieval: Retrieval): Promise<Retrieved> };

export type DocumentWrite = {
  /** Id of a document store, or a reference to one of the agent's own. */
  storeId: string;
  /** The agent that asks. Absent: none, so that no store is its own. */
  agentId?: string;
  /** The chat that brings the text. */
  chatId?: string;
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
