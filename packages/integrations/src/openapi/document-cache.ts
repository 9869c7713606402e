import { createHash } from "node:crypto";
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
  const kept = new Map<string, { document: Promise<Outcome<OpenApiDocument>>; characters: number }>();
  let characters = 0;

  function forget(key: string): void {
    characters -= kept.get(key)?.characters ?? 0;
    kept.delete(key);
  }

  function keep(key: string, document: Promise<Outcome<OpenApiDocument>>, size: number): void {
    kept.set(key, { document, characters: size });
    characters += size;
    for (const oldest of kept.keys()) {
      if (kept.size <= maxDocuments && characters <= maxCharacters) return;
      forget(oldest);
    }
  }

  return {
    async read(text) {
      const key = createHash("sha256").update(text).digest("base64");
      const found = kept.get(key);
      if (found) {
        kept.delete(key);
        kept.set(key, found);
        return found.document;
      }
      const document = parseDocument(text);
      keep(key, document, text.length);
      const outcome = await document;
      if (!outcome.ok) forget(key);
      return outcome;
    },
  };
}
