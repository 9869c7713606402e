/** What is searched together. Its status follows from its loaders. */
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
  /** JSON text: how it is searched, as `retrievalSettingsSchema`. */
  retrievalConfig: string;
};

/** Where documents of a store come from, and how they are split. */
export type DocumentLoaderRow = {
  id: string;
  storeId: string;
  /** The same for the same loader and source: a second upsert of them uses this loader again. */
  identity: string;
  /** As people call it. */
  loaderName: string;
  /** Which loader of the catalogue. */
  loader: string;
  /** Which splitter of the catalogue. */
  splitter: string;
  /** Where it loads from, for people: file names, an address. */
  source: string;
  status: string;
  /** Why the last processing or upsert failed; empty when it did not. */
  error: string;
  /** The set of chunks that is current; empty before the first. */
  chunkSet: string;
  totalChunks: number;
  totalChars: number;
  createdDate: string;
  updatedDate: string;
  /** JSON text of an object, laid over that of every document. */
  metadata: string;
  /** JSON text. */
  splitterConfig: string;
  /** JSON text. */
  loaderConfig: string;
  /** The agent and the chat that brought what it loads; both empty where no chat did. */
  chatAgentId: string;
  chatId: string;
};

/** A file that a loader reads. One of some size that has no parts was too large to be kept. */
export type DocumentFileRow = {
  id: string;
  storeId: string;
  /** Empty until the loader that it came for is stored, too. */
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
  /** Under which the record manager and the vector database know it, too. Unique in its set. */
  id: string;
  storeId: string;
  /** Of the document that it is from. */
  source: string;
  metadataHash: string;
  /**
   * What its upsert does with it: `add`, `update`, `skip`, or `keep` where it was there before and is not touched;
   * `changed` once a person has changed it.
   */
  plan: string;
  /** 1: of a source that the loader had before another one was added to it. Only a replacement removes it. */
  isAdded: number;
  /** JSON text. */
  metadata: string;
  pageContent: string;
};

/** A vector that was written to a collection: what the record manager remembers. */
export type DocumentRecordRow = {
  collection: string;
  loaderId: string;
  id: string;
  storeId: string;
  source: string;
  metadataHash: string;
  /** Id of the upsert that is to delete it; else empty. */
  outdatedBy: string;
};

/** Where vectors of a store are, or were before its settings changed. */
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

/** What one upsert is to do. Its run's id is its own. */
export type UpsertJobRow = {
  runId: string;
  storeId: string;
  /** The agent that it was asked of; empty for the store itself. */
  agentId: string;
  /** SHA-256 of the request: an equal one attaches to this as long as it is open. */
  requestHash: string;
  /** `open`; `ending` when it is over and what it left behind is still there; `ended`. */
  state: string;
  createdDate: string;
  /** JSON text of what it came to. */
  result: string | null;
  /** JSON text. */
  spec: string;
};

/** A question of a store, and what it should find. */
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

/** How well a store answered its questions once. */
export type DocumentEvaluationRow = {
  id: string;
  storeId: string;
  createdDate: string;
  /** JSON text: the numbers, and the settings of the store at that time. */
  summary: string;
  /** JSON text: the place of each question. */
  ranks: string;
  /** JSON text: recall@5 of each question. Empty in evaluations of older versions. */
  recalls: string;
  /** JSON text: each question with what it found; empty when a newer evaluation is there. */
  outcomes: string;
};

/** What one document of a loader's chunk set says. */
export type DocumentFingerprintRow = {
  loaderId: string;
  chunkSet: string;
  /** From 1. */
  documentNo: number;
  storeId: string;
  /** As its chunks name it. */
  source: string;
  /** SHA-256 of its text, however that is spaced; empty where its chunks are not, or not only, those of a text that was read. */
  hash: string;
};

/** Whether upserts of a store have its questions checked, and what is owed. Moments are milliseconds, 0: none. */
export type DocumentCheckRow = {
  storeId: string;
  /** 1: they do. */
  isOn: number;
  /** How many upserts have changed something, and how many of them the last check has seen. */
  asked: number;
  done: number;
  /** When the first of those ended that no check has seen. */
  askedAt: number;
  /** No check begins before. */
  dueAt: number;
  /** How often the check that is owed has failed. */
  attempts: number;
  /** Of the check that is under way; empty without one. */
  leaseOwner: string;
  leaseUntil: number;
  /** Why the last check failed; empty when it did not. */
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
