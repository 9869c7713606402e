import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Outcome } from "../tool-name.ts";
import { type OpenApiDocument, parseDocument } from "./parse-document.ts";

/** Reads API descriptions; one that was read lately is not parsed again. */
export type DocumentCache = { read(text: string): Promise<Outcome<OpenApiDocument>> };

export type DocumentCacheLimits = {
  /** Documents kept. Default 32. */
  maxDocuments?: number;
  /** Characters of source text that the kept documents stand for. Default 16 Mi. */
  maxCharacters?: number;
};

/**
 * Keyed by the text's SHA-256; the document used longest ago goes first. Failures are not kept.
 * A text that is being read is not read a second time.
 */
export function createDocumentCache(limits: DocumentCacheLimits = {}): DocumentCache {
  const { maxDocuments = 32, maxCharacters = 16 * 1024 * 1024 } = limits;
  const kept = new LRUCache<string, Promise<Outcome<OpenApiDocument>>>({ max: maxDocuments, maxSize: maxCharacters });
  return {
    async read(text) {
      const key = createHash("sha256").update(text).digest("base64");
      const found = kept.get(key);
      if (found !== undefined) return found;
      const document = parseDocument(text);
      kept.set(key, document, { size: Math.max(1, text.length) });
      const outcome = await document;
      if (!outcome.ok) kept.delete(key);
      return outcome;
    },
  };
}
