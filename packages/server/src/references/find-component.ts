import type { Component, FindComponent } from "@weft/engine";
import { type IntegrationRegistry, integrations } from "@weft/integrations";
import { embeddingProviders } from "@weft/providers";
import { loaders } from "@weft/providers/loaders";
import { type Aliased, type ComponentKind, findByAnyName, isJsonObject, type Json, toOwnConfig } from "@weft/schema";
import { vectorStoreTypes } from "@weft/vector-stores";
import type { z } from "zod";

/** Components of all registries, by any of their names, with stored settings under the registry's own. */
export const findComponent: FindComponent = (kind, name, config) => finders[kind](name, config);

const finders: Readonly<Record<ComponentKind, (name: string, config: Json) => Component | undefined>> = {
  tool: (name, config) => {
    const registry: IntegrationRegistry = integrations;
    const integration = Object.hasOwn(registry, name) ? registry[name] : undefined;
    return integration && { name, schema: integration.config, config };
  },
  loader: (name, config) => {
    const loader = Object.values(loaders).find((each) => each.name === name || each.aliases.names.includes(name));
    return loader && { name: loader.name, schema: loader.config, config };
  },
  embedding: (name, config) => ofAliased(embeddingProviders, name, config),
  "vector-store": (name, config) => ofAliased(vectorStoreTypes, name, config),
};

function ofAliased(entries: readonly (Aliased & { config: z.ZodType })[], name: string, config: Json) {
  const found = findByAnyName(entries, name);
  if (found === undefined || !isJsonObject(config)) return undefined;
  return { name: found.name, schema: found.config, config: toOwnConfig(found, config) };
}
