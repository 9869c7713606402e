import type { Tables } from "@weft/database";
import type { CollectionName } from "@weft/engine";
import { WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import { type CollectionCopy, createCollectionCopy } from "./collection-copy.ts";
import { rowOverheadBytes } from "./vector-matrix.ts";
import { countRecords, type StoredCollection } from "./vector-record.store.ts";

/** Collections in memory, within a limit: those used longest ago are forgotten when others need the room. */
export type CopyCache = {
  /** An up-to-date copy. Rejects with `vector-store-failed` when the collection alone is larger than the limit. */
  open(stored: StoredCollection, name: CollectionName): Promise<CollectionCopy>;
};

export function createCopyCache(read: Kysely<Tables>, memoryBytes: number): CopyCache {
  const copies = new Map<number, CollectionCopy>();

  /** Counted before anything is read: a copy that does not fit would end the process. */
  async function makeRoom(stored: StoredCollection, name: CollectionName): Promise<void> {
    const needed = (await countRecords(read, stored)) * (stored.dimension * 4 + rowOverheadBytes);
    if (needed > memoryBytes) throw tooLarge(name, memoryBytes);
    let others = 0;
    for (const [key, copy] of [...copies].reverse()) {
      if (key === stored.collectionKey) continue;
      others += copy.matrix.bytes();
      if (others + needed > memoryBytes) copies.delete(key);
    }
  }

  return {
    async open(stored, name) {
      const key = stored.collectionKey;
      const known = copies.get(key);
      if (known === undefined || known.seen() < stored.changes) await makeRoom(stored, name);
      const copy = copies.get(key) ?? createCollectionCopy(read, stored);
      copies.delete(key);
      copies.set(key, copy);
      await copy.follow(stored);
      return copy;
    },
  };
}

function tooLarge({ collection }: CollectionName, memoryBytes: number): WeftError {
  const megabytes = Math.floor(memoryBytes / 1024 / 1024);
  const reason = `${collection} has more vectors than are kept in memory (${megabytes} MB). Use pgvector or Qdrant for it.`;
  return new WeftError("vector-store-failed", { params: { store: "embedded", reason } });
}
