import type { EmbeddingModel } from "@weft/engine";

/** Models that are ready to be asked, by everything that makes them differ. */
export type EmbeddingCache = {
  /** The model kept under the key, or what `create` makes. A failed creation is not kept. */
  get(key: string, create: () => Promise<EmbeddingModel>): Promise<EmbeddingModel>;
  /** Ends what the kept models hold. */
  close(): Promise<void>;
};

/** The one used longest ago is forgotten first. The embedded model is only one, and its worker ends when idle. */
const maxModels = 100;

export function createEmbeddingCache(): EmbeddingCache {
  const models = new Map<string, Promise<EmbeddingModel>>();
  return {
    get(key, create) {
      const model = models.get(key) ?? create();
      models.delete(key);
      models.set(key, model);
      if (models.size > maxModels) models.delete(models.keys().next().value ?? key);
      model.catch(() => models.delete(key));
      return model;
    },
    async close() {
      for (const result of await Promise.allSettled(models.values())) {
        if (result.status === "fulfilled") await result.value.close?.();
      }
      models.clear();
    },
  };
}
