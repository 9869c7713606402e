import type { Document, HistoryMessage, Json, JsonObject, RetrievalSettings } from "@weft/schema";

export type Retrieval = {
  /** Searched in parallel; the results form one list. */
  stores: readonly StoreToSearch[];
  /** The agent that searches. Absent: none, so no agent's own store can be searched. */
  agentId?: string;
  query: string;
  /** Most documents over all stores. Absent: each store's own limit. */
  topK?: number | undefined;
  /** Absent settings default to those of each store. */
  settings?: RetrievalSettings | undefined;
  /** The messages before the query, oldest first. Absent: the query has no context. */
  history?: () => Promise<readonly HistoryMessage[]>;
  /** Makes a model call. Absent: called directly. */
  ask?: AskModelOnce;
  signal: AbortSignal;
};

export type StoreToSearch = {
  /** Id of a document store, or a reference to one of the agent's own. */
  storeId: string;
  /** Most documents. Default: the store's setting. */
  topK?: number | undefined;
  /** Condition on the documents' metadata, as `readFilter` of the schema reads it. Absent: no condition. */
  filter?: JsonObject | undefined;
};

/** A run makes the call once per key, however often it is replayed. `name`: id of the model. */
export type AskModelOnce = <T extends Json>(
  call: { key: string; name: string; input: JsonObject },
  make: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** A partial failure of a search that still returned results. */
export type RetrievalWarning = { code: string; message: string };

export type Retrieved = {
  /** Best first; the metadata includes what `withRelevance` of the schema adds. */
  documents: Document[];
  warnings: readonly RetrievalWarning[];
  /** Text for the model if there were passages but none relevant enough. */
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
  /** The agent that writes. Absent: none, so no agent's own store can be written. */
  agentId?: string;
  chatId?: string;
  text: string;
  metadata: JsonObject;
  signal: AbortSignal;
};

type WrittenDocuments = { numAdded: number; numUpdated: number; numDeleted: number; numSkipped: number };

/**
 * Writes texts into document stores. Writing the same text again adds nothing.
 * `write` resolves when the text can be found, and rejects with the failure of the store or its embedding model.
 */
export type DocumentWriter = { write(write: DocumentWrite): Promise<WrittenDocuments> };
