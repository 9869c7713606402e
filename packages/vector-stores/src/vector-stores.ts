import type { CollectionName, VectorCollection } from "@weft/engine/ports/vector-store";
import { findByAnyName, type JsonObject, toOwnConfig, WeftError } from "@weft/schema";
import {
  createEmbeddedStore,
  type EmbeddedStoreOptions,
  embeddedTraits,
  type VectorMemory,
} from "./embedded/embedded-store.ts";
import { createPgvectorStore, type PgvectorStoreOptions, pgvectorTraits } from "./pgvector/pgvector-store.ts";
import type { VectorStore, VectorStoreServices } from "./port/define-vector-store.ts";
import { qdrantStore } from "./qdrant/qdrant.ts";

/** Every type of vector store, with its catalogue traits. */
export const vectorStoreTypes = [embeddedTraits, pgvectorTraits, qdrantStore] as const;

/** A vector store, with fields under its own names. */
export type VectorStoreReference = { store: "embedded" | "pgvector" | "qdrant"; config: JsonObject };

/**
 * Parses stored settings, with our names or those of existing settings. Without a name it is the embedded store. Throws
 * `vector-store-not-configured` for an unknown name.
 */
export function parseVectorStoreReference(name: string | undefined, config: JsonObject): VectorStoreReference {
  if (name === undefined || name === "") return { store: "embedded", config: {} };
  const found = findByAnyName(vectorStoreTypes, name);
  if (found !== undefined) return { store: found.name, config: toOwnConfig(found, config) };
  const known = vectorStoreTypes.map((store) => store.name).join(", ");
  const reason = `no vector store has the name ${name}. Known ones: ${known}.`;
  throw new WeftError("vector-store-not-configured", { params: { store: name, reason } });
}

/** Every type of vector store, ready for use. */
export type VectorStores = {
  /** For the catalogue and forms. */
  readonly definitions: readonly VectorStore[];
  /**
   * The collection of that name, which need not exist yet. Cheap: it may be called for every request. Rejects with
   * `vector-store-not-configured`.
   */
  open(reference: VectorStoreReference, name: CollectionName): Promise<VectorCollection>;
  /** Memory used by the embedded collections. */
  memory(): VectorMemory;
  /**
   * Removes all words of deleted texts from the embedded store's keyword index. Takes time in proportion to the index.
   */
  eraseRemoved(signal: AbortSignal): Promise<void>;
  /** Ends the search worker and connections. Call before the database is closed. */
  close(): Promise<void>;
};

export function createVectorStores(
  options: EmbeddedStoreOptions & PgvectorStoreOptions & VectorStoreServices,
): VectorStores {
  const { readCredential, fetch } = options;
  const embedded = createEmbeddedStore(options);
  const pgvector = createPgvectorStore(options);
  const stores: Record<VectorStoreReference["store"], VectorStore> = {
    embedded: embedded.definition,
    pgvector: pgvector.definition,
    qdrant: qdrantStore,
  };
  return {
    definitions: Object.values(stores),
    async open({ store, config }, name) {
      const definition = stores[store];
      const parsed = definition.config.safeParse(config);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const reason = `its field ${issue?.path.join(".")} does not fit: ${issue?.message}.`;
        throw new WeftError("vector-store-not-configured", { params: { store, reason } });
      }
      return definition.open(parsed.data, name, { readCredential, fetch });
    },
    memory: embedded.memory,
    eraseRemoved: embedded.eraseRemoved,
    async close() {
      await embedded.close();
      await pgvector.close();
    },
  };
}
