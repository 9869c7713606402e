import { type JsonObject, type OwnStore, toOwnStoreReference } from "@weft/schema";

/** The step that uploads to an own store go through. Nothing leads to it: runs only search the store. */
export function toStoreStep(store: OwnStore): { type: string; label: string; config: JsonObject } {
  const { label, splitter } = store;
  const config = { storeId: toOwnStoreReference(store), ...(splitter && { splitter: { ...splitter } }) };
  return { type: "vector-store", label, config };
}
