import { createPause } from "@weft/workers";
import type { DocumentFingerprintRow } from "../tables.ts";
import { createTextHash, type TextHash } from "./text-hash.ts";

/** Collects the documents that one upsert of one loader reads. */
export type FingerprintReader = {
  /** Adds a loaded text. Texts of one source, such as the pages of a file, are one document. */
  read(source: string, text: string): Promise<void>;
  /** Notes that an existing chunk of this source stays, beside the text that was read. */
  keep(source: string): void;
  /**
   * Each document with its hash, which is empty where its chunks are not, or not only, those of a text that was read
   * now. Unchanged documents keep their hash. Call once, at the end.
   */
  settle(options: {
    failedSources: ReadonlySet<string>;
    before: readonly Pick<DocumentFingerprintRow, "source" | "hash">[];
  }): Fingerprint[];
};

export type Fingerprint = { source: string; hash: string };

/** Beyond this number the other documents of a loader stay unknown: it is never a copy as a whole. */
const maxDocuments = 10_000;

export function createFingerprintReader(): FingerprintReader {
  const hashes = new Map<string, TextHash>();
  const kept = new Set<string>();
  const pause = createPause();
  let isCut = false;

  return {
    async read(source, text) {
      const known = hashes.get(source);
      if (known === undefined && hashes.size >= maxDocuments) isCut = true;
      else {
        const hash = known ?? createTextHash();
        hashes.set(source, hash);
        await hash.add(text, pause);
      }
    },

    keep(source) {
      if (kept.size < maxDocuments) kept.add(source);
      else if (!kept.has(source)) isCut = true;
    },

    settle({ failedSources, before }) {
      const earlier = new Map(before.map(({ source, hash }) => [source, hash]));
      const hashOf = (source: string) => {
        const read = hashes.get(source);
        if (read === undefined) return kept.has(source) ? earlier.get(source) : undefined;
        const hash = read.digest();
        return kept.has(source) || failedSources.has(source) ? undefined : (hash ?? null);
      };
      const sources = [...new Set([...hashes.keys(), ...kept, ...failedSources])];
      const found = sources.map((source) => ({ source, hash: hashOf(source) }));
      // A document without text has no chunks, so nothing can be a copy of it.
      const documents = found
        .filter(({ hash }) => hash !== null)
        .map(({ source, hash }) => ({ source, hash: hash ?? "" }));
      const isMore = isCut || documents.length > maxDocuments;
      return isMore ? [...documents.slice(0, maxDocuments), { source: "", hash: "" }] : documents;
    },
  };
}
