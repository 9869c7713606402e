import type { ChatModel } from "@weft/engine";

/** Models that are ready to be asked, by everything that makes them differ. */
export type ModelCache = {
  /** The model kept under the key, or what `create` makes. A failed creation is not kept. */
  get(key: string, create: () => Promise<ChatModel>): Promise<ChatModel>;
};

/** At most `limit` models; the one used longest ago is forgotten first. */
export function createModelCache(limit: number): ModelCache {
  const models = new Map<string, Promise<ChatModel>>();
  return {
    get(key, create) {
      const model = models.get(key) ?? create();
      models.delete(key);
      models.set(key, model);
      if (models.size > limit) models.delete(models.keys().next().value ?? key);
      model.catch(() => models.delete(key));
      return model;
    },
  };
}
