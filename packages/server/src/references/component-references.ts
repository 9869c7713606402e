import { type Reference, referencesOf } from "@weft/engine";
import { type ComponentKind, isJsonObject, type OwnStore } from "@weft/schema";
import { findComponent } from "./find-component.ts";

/** References of a document store's component: `{ name, config }` as it is stored. Empty for anything else. */
export function referencesOfComponent(kind: ComponentKind, choice: unknown): Reference[] {
  if (!isJsonObject(choice) || typeof choice.name !== "string") return [];
  const found = findComponent(kind, choice.name, choice.config ?? {});
  return found === undefined ? [] : referencesOf(found.config, { ...found, component: found.name }, findComponent);
}

/** References of a store that a flow describes. */
export function referencesOfOwnStore({ embedding, vectorStore, loaders }: OwnStore): Reference[] {
  return [
    ...referencesOfComponent("embedding", embedding),
    ...referencesOfComponent("vector-store", vectorStore),
    ...loaders.flatMap(({ loader }) => referencesOfComponent("loader", loader)),
  ];
}
