import type { DocumentStoreStatus } from "@weft/schema";

/** The states of a loader, and so of a store that has one. */
export type LoaderStatus = Exclude<DocumentStoreStatus, "EMPTY">;

/** A unit of search. Its status follows from its loaders. */
export type DocumentStoreRow = {
  id: string;
  name: string;
  description: string;
  createdDate: string;
  updatedDate: string;
  /** JSON text: `{ "name", "config" }`, or `{}` for the platform's own. */
  embeddingConfig: string;
  vectorStoreConfig: string;
  recordManagerConfig: string;
  /** JSON text: search settings, as `retrievalSettingsSchema`. */
  retrievalConfig: string;
};

/** A source of a store's documents, and how they are split. */
export type DocumentLoaderRow = {
  id: string;
  storeId: string;
  /** Equal for the same loader and source: a second upsert of them reuses this loader. */
  identity: string;
  /** Display name. */
  loaderName: string;
  /** Loader of the catalogue. */
  loader: string;
  /** Splitter of the catalogue. */
  splitter: string;
  /** Source for display: file names, an address. */
  source: string;
  status: LoaderStatus;
  /** Why the last processing or upsert failed; empty if it did not. */
  error: string;
  /** The current chunk set; empty before the first. */
  chunkSet: string;
  totalChunks: number;
  totalChars: number;
  createdDate: string;
  updatedDate: string;
  /** JSON text of an object, merged over that of every document. */
  metadata: string;
  /** JSON text. */
  splitterConfig: string;
  /** JSON text. */
  loaderConfig: string;
  /** The agent and the chat that the documents come from; both empty if there is no chat. */
  chatAgentId: string;
  chatId: string;
};

/** A file that a loader reads. One with a size but no parts was too large to be kept. */
export type DocumentFileRow = {
  id: string;
  storeId: string;
  /** Empty until its loader is stored, too. */
  loaderId: string;
  name: string;
  mime: string;
  sizeBytes: number;
  createdDate: string;
};

/** A piece of a file, so that no read or write of a large one takes long. Numbers are dense, from 0. */
export type DocumentFilePartRow = { fileId: string; partNo: number; bytes: Uint8Array };

/** A passage of a document. */
export type DocumentChunkRow = {
  loaderId: string;
  chunkSet: string;
  /** From 1. */
  chunkNo: number;
  /** Shared with the record manager and the vector database. Unique in its set. */
  id: string;
  storeId: string;
  /** The document that it comes from. */
  source: string;
  metadataHash: string;
  /**
   * The upsert's action: `add`, `update`, `skip`, or `keep` for an existing one left untouched; `changed` after an edit
   * by a person.
   */
  plan: string;
  /** 1: from a source that the loader had before another one was added. Only a replacement removes it. */
  isAdded: number;
  /** JSON text. */
  metadata: string;
  pageContent: string;
};

/** A record of the record manager: a vector that was written to a collection. */
export type DocumentRecordRow = {
  collection: string;
  loaderId: string;
  id: string;
  storeId: string;
  source: string;
  metadataHash: string;
  /** Id of the upsert that is to delete it; otherwise empty. */
  outdatedBy: string;
};

/** A place where a store's vectors are, or were before its settings changed. */
export type DocumentCollectionRow = {
  collection: string;
  storeId: string;
  embedderId: string;
  dimension: number;
  /** JSON text. */
  vectorStoreConfig: string;
};

/** An agent or assistant whose flow names the store. */
export type DocumentStoreUseRow = { storeId: string; agentId: string };

/** An upsert's work. Its id is that of its run. */
export type UpsertJobRow = {
  runId: string;
  storeId: string;
  /** The requested agent; empty for the store itself. */
  agentId: string;
  /** SHA-256 of the request: an equal request attaches to this job while it is open. */
  requestHash: string;
  /** `open`; `ending` when it is over but its leftovers still exist; `ended`. */
  state: string;
  createdDate: string;
  /** JSON text of the outcome. */
  result: string | null;
  /** JSON text. */
  spec: string;
};

/** A question of a store, with the expected results. */
export type DocumentQuestionRow = {
  id: string;
  storeId: string;
  createdDate: string;
  updatedDate: string;
  question: string;
  /** JSON text: names of the documents that answer it. */
  relevant: string;
  /** JSON text: what a passage must contain. */
  words: string;
};

/** An evaluation of how well a store answered its questions. */
export type DocumentEvaluationRow = {
  id: string;
  storeId: string;
  createdDate: string;
  /** JSON text: the numbers, and the store's settings at that time. */
  summary: string;
  /** JSON text: the rank of each question. */
  ranks: string;
  /** JSON text: recall@5 of each question. Empty in evaluations of older versions. */
  recalls: string;
  /** JSON text: each question with its results; empty once a newer evaluation exists. */
  outcomes: string;
};

/** Fingerprint of one document of a loader's chunk set. */
export type DocumentFingerprintRow = {
  loaderId: string;
  chunkSet: string;
  /** From 1. */
  documentNo: number;
  storeId: string;
  /** As named by its chunks. */
  source: string;
  /**
   * SHA-256 of its text, independent of spacing; empty if its chunks are not, or not only, those of a text that was
   * read.
   */
  hash: string;
};

/**
 * Whether upserts of a store trigger a check of its questions, and the pending one. Moments are milliseconds, 0: none.
 */
export type DocumentCheckRow = {
  storeId: string;
  /** 1: enabled. */
  isOn: number;
  /** Number of upserts that changed something, and how many of them the last check covered. */
  asked: number;
  done: number;
  /** When the first upsert not covered by a check ended. */
  askedAt: number;
  /** Earliest start of the check. */
  dueAt: number;
  /** Number of failures of the pending check. */
  attempts: number;
  /** Of the running check; empty if there is none. */
  leaseOwner: string;
  leaseUntil: number;
  /** Why the last check failed; empty if it did not. */
  error: string;
};

declare module "@weft/database" {
  interface Tables {
    documentStores: DocumentStoreRow;
    documentLoaders: DocumentLoaderRow;
    documentFiles: DocumentFileRow;
    documentFileParts: DocumentFilePartRow;
    documentChunks: DocumentChunkRow;
    documentRecords: DocumentRecordRow;
    documentCollections: DocumentCollectionRow;
    documentStoreUses: DocumentStoreUseRow;
    upsertJobs: UpsertJobRow;
    documentQuestions: DocumentQuestionRow;
    documentEvaluations: DocumentEvaluationRow;
    documentFingerprints: DocumentFingerprintRow;
    documentChecks: DocumentCheckRow;
  }
}
