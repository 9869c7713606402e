import type { DocumentStoreRow } from "@weft/database";
import type { Retriever, VectorMatch } from "@weft/engine";
import { type Document, type VectorQuery, type VectorQueryResult, WeftError } from "@weft/schema";
import { findLiveChunks, findMetadataNames, hasMetadataName } from "./chunk.store.ts";
import { createDeleteVectors, type DeleteVectors, type DeleteVectorsDeps } from "./delete-vectors.ts";
import { findStore } from "./document-store.store.ts";
import { listLoaderStates } from "./loader.store.ts";
import { changeLoaders } from "./outdate-loaders.ts";
import { readQuerySettings } from "./query-settings.ts";
import { findCollection, listCollections } from "./record.store.ts";
import { type LiveMatch, searchAll, searchLive } from "./search-live.ts";
import { collectionName, readChoice, type StoreBackend } from "./store-backend.ts";

export type SearchServiceDeps = DeleteVectorsDeps & { backend: StoreBackend };

export type SearchService = {
  /**
   * Finds passages that exist, although vectors of deleted ones may still be in the database. Rejects with
   * `parameters-invalid` for an unknown store, filter or override, with `embedding-mismatch` when the store's settings
   * name another model than its vectors are of, and with what the model or the database fails with.
   */
  query(query: VectorQuery, signal: AbortSignal): Promise<VectorQueryResult>;
  /** For flows. */
  retriever: Retriever;
  deleteVectors: DeleteVectors;
};

const defaultTopK = 4;

type Search = Pick<VectorQuery, "query" | "topK" | "mode" | "filter" | "includeOrphans">;

export function createSearchService(deps: SearchServiceDeps): SearchService {
  const { database, backend } = deps;
  const { read } = database;

  async function search(store: DocumentStoreRow, asked: Search, signal: AbortSignal): Promise<LiveMatch[]> {
    const { query, topK, mode, filter, includeOrphans } = asked;
    const model = await backend.embedder(store);
    const known = await findCollection(read, collectionName(store, model.id));
    if (known === undefined) {
      await assertNotWrittenElsewhere(store, model.id);
      return [];
    }
    const { config } = readChoice(store.vectorStoreConfig);
    const [vector] = await backend.embed(model, { texts: [query], purpose: "query", signal });
    if (vector === undefined) throw new Error("The embedding model answered no vector.");
    if (vector.length !== known.dimension) {
      await outdate(store.id);
      throw otherLength(store, known.dimension, vector.length);
    }
    const collection = await backend.open(store, known);
    const wanted = {
      vector,
      text: query,
      topK: topK ?? (Number(config.topK) || defaultTopK),
      mode: mode ?? "hybrid",
      filter: filter ?? undefined,
      signal,
    } as const;
    const searched = includeOrphans ? searchAll : searchLive;
    return searched(collection, wanted, (ids) => findLiveChunks(read, store.id, ids));
  }

  /** Nothing was written with these settings: with others it was, or there is nothing to be found yet. */
  async function assertNotWrittenElsewhere(store: DocumentStoreRow, embedderId: string): Promise<void> {
    const [other] = await listCollections(read, store.id);
    if (other === undefined) return;
    const loaders = await listLoaderStates(read, store.id);
    if (!loaders.some(({ chunkSet }) => chunkSet !== "")) return;
    await outdate(store.id);
    if (other.embedderId === embedderId)
      throw otherVectors(store, "another vector database", "the one of its settings");
    throw otherVectors(store, other.embedderId, embedderId);
  }

  /** Loaders whose vectors are no longer usable. */
  function outdate(storeId: string): Promise<void> {
    return changeLoaders(database, storeId, { event: "changed" });
  }

  /** An empty result may be for a name that no passage has: that is a mistake, and is said. */
  async function assertKnownFilter(storeId: string, filter: VectorQuery["filter"]): Promise<void> {
    for (const name of Object.keys(filter ?? {})) {
      if (name === "docId" || (await hasMetadataName(read, storeId, name))) continue;
      const known = await findMetadataNames(read, storeId);
      if (known.length === 0) return;
      const reason = `filter.${name}: no passage of this document store has metadata of this name. Passages have: ${known.join(", ")}.`;
      throw new WeftError("parameters-invalid", {
        params: { reason },
        errors: [{ path: `filter.${name}`, message: reason }],
      });
    }
  }

  return {
    async query(asked, signal) {
      const since = performance.now();
      const { storeId, query, includeOrphans } = asked;
      const store = await findStore(read, storeId);
      if (store === undefined) throw unknownStore(storeId);
      const settings = readQuerySettings(asked, readChoice(store.vectorStoreConfig).config);
      const found = await search(store, { query, includeOrphans, ...settings }, signal);
      if (found.length === 0) await assertKnownFilter(storeId, settings.filter);
      return {
        docs: found.map((match) => {
          return { ...toDocument(match), id: match.id, chunkNo: match.chunkNo ?? -1, score: match.score };
        }),
        timeTaken: Math.round(performance.now() - since),
      };
    },

    retriever: {
      async retrieve({ storeId, query, topK, signal }) {
        const store = await findStore(read, storeId);
        if (store === undefined) throw notRetrieved(storeId, "no store of this id exists. Choose another one.");
        try {
          return (await search(store, { query, topK }, signal)).map(toDocument);
        } catch (cause) {
          signal.throwIfAborted();
          if (cause instanceof WeftError) throw notRetrieved(storeId, cause.message, cause);
          throw cause;
        }
      },
    },

    deleteVectors: createDeleteVectors(deps),
  };
}

function toDocument({ text, metadata }: VectorMatch): Document {
  return { pageContent: text, metadata };
}

function otherVectors({ id, name }: DocumentStoreRow, stored: string, given: string): WeftError {
  const message = `The vectors of the document store "${name}" (${id}) are of ${stored}, and its settings ask for ${given}: they cannot be compared. Upsert it again (POST /api/v1/document-store/refresh/${id}), or choose the earlier settings.`;
  return new WeftError("embedding-mismatch", { message });
}

function otherLength({ id, name }: DocumentStoreRow, stored: number, given: number): WeftError {
  const message = `The vectors of the document store "${name}" (${id}) have ${stored} numbers, and its embedding model gives ${given} now: they cannot be compared. Delete them (DELETE /api/v1/document-store/vectorstore/${id}) and upsert it again.`;
  return new WeftError("embedding-mismatch", { message });
}

/** The row of the reference has no 404. */
function unknownStore(id: string): WeftError {
  const reason = `No document store with the id ${id} exists. GET /api/v1/document-store/store lists them.`;
  return new WeftError("parameters-invalid", { params: { reason } });
}

function notRetrieved(storeId: string, reason: string, cause?: WeftError): WeftError {
  const options = { params: { storeId, reason }, cause, retryable: cause?.retryable ?? false };
  return new WeftError("retrieval-failed", cause?.upstream ? { ...options, upstream: cause.upstream } : options);
}
