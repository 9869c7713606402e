import type { JsonObject } from "@weft/schema";

export type DocumentWrite = {
  /** Id of a document store. */
  storeId: string;
  text: string;
  metadata: JsonObject;
  signal: AbortSignal;
};

/** What a write came to. */
export type WrittenDocuments = { numAdded: number; numUpdated: number; numDeleted: number; numSkipped: number };

/**
 * Writes texts into document stores. The same text twice is there once: a repetition adds nothing.
 * `write` resolves when the text can be found, and rejects with what the store or its embedding model fails with.
 */
export type DocumentWriter = { write(write: DocumentWrite): Promise<WrittenDocuments> };
