import { hash } from "node:crypto";
import type { Clock } from "@weft/engine/ports/clock";
import type { EmbeddingModel, EmbeddingRequest } from "@weft/engine/ports/embedding-model";
import type { CollectionName, VectorCollection } from "@weft/engine/ports/vector-store";
import { type createEmbeddingResolver, embedWithBackoff, parseEmbeddingReference } from "@weft/providers";
import { isJsonObject, type JsonObject } from "@weft/schema";
import { parseVectorStoreReference, type VectorStores } from "@weft/vector-stores";

/** The external parts of document stores: the embedding model and the vector database that a store's settings name. */
export type StoreBackend = {
  /** Rejects with `embedding-not-configured`. */
  embedder(settings: { embeddingConfig: string }): Promise<EmbeddingModel>;
  /** In requests as large as the model accepts, pausing when it asks for that. */
  embed(model: EmbeddingModel, request: EmbeddingRequest): Promise<Float32Array[]>;
  /** Rejects with `vector-store-not-configured`. */
  open(settings: { vectorStoreConfig: string }, name: CollectionName): Promise<VectorCollection>;
};

/** `retryPauseMs`: pause before a failed embedding request is retried. */
export function createStoreBackend(
  embeddings: ReturnType<typeof createEmbeddingResolver>,
  { vectors, clock, retryPauseMs }: { vectors: VectorStores; clock: Clock; retryPauseMs: number },
): StoreBackend {
  const backoff = { sleep: clock.sleep, random: Math.random, firstPauseMs: retryPauseMs };
  return {
    embedder: ({ embeddingConfig }) => {
      const { name, config } = readChoice(embeddingConfig);
      return embeddings.resolve(parseEmbeddingReference(name, config));
    },
    async embed(model, { texts, ...request }) {
      const found: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += model.maxBatch) {
        const part = texts.slice(start, start + model.maxBatch);
        found.push(...(await embedWithBackoff(model, { ...request, texts: part }, backoff)));
      }
      return found;
    },
    open: (settings, name) => openPlace(vectors, settings, name),
  };
}

/** The collection in the vector database that the settings name. As `StoreBackend.open`. */
export function openPlace(
  vectors: VectorStores,
  { vectorStoreConfig }: { vectorStoreConfig: string },
  name: CollectionName,
): Promise<VectorCollection> {
  const { name: store, config } = readChoice(vectorStoreConfig);
  return vectors.open(parseVectorStoreReference(store, config), name);
}

/** Throws `embedding-not-configured` or `vector-store-not-configured` for unknown names. */
export function assertConfigured({
  embeddingConfig,
  vectorStoreConfig,
}: {
  embeddingConfig?: string | undefined;
  vectorStoreConfig?: string | undefined;
}): void {
  if (embeddingConfig !== undefined) {
    const { name, config } = readChoice(embeddingConfig);
    parseEmbeddingReference(name, config);
  }
  if (vectorStoreConfig !== undefined) {
    const { name, config } = readChoice(vectorStoreConfig);
    parseVectorStoreReference(name, config);
  }
}

/** Other settings mean another collection: vectors of two models never mix, nor do two databases share a record. */
export function collectionName(
  { id, vectorStoreConfig }: { id: string; vectorStoreConfig: string },
  embedderId: string,
): string {
  const { name = "", config } = readChoice(vectorStoreConfig);
  const { topK: _, ...place } = config;
  return `ds_${hash("sha256", JSON.stringify([id, embedderId, name, place]), "hex").slice(0, 40)}`;
}

/** Parses `{ name, config }`; without a name the platform's own is meant. */
export function readChoice(text: string): { name: string | undefined; config: JsonObject } {
  const value: { name?: unknown; config?: unknown } | null = JSON.parse(text);
  const config = value?.config;
  return {
    name: typeof value?.name === "string" && value.name !== "" ? value.name : undefined,
    config: isJsonObject(config) ? config : {},
  };
}
