import type { NamingSettings } from "@weft/agents";
import { type Component, type FindComponent, type Reference, referencesOf } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import { type IntegrationRegistry, integrations } from "@weft/integrations";
import { embeddingProviders, parseFollowUps, parseSpeechToText, parseTextToSpeech } from "@weft/providers";
import { loaders } from "@weft/providers/loaders";
import {
  type Aliased,
  type ComponentKind,
  credentialOfModel,
  type FlowNode,
  findByAnyName,
  isJsonObject,
  type Json,
  toOwnConfig,
} from "@weft/schema";
import { readTracingServices } from "@weft/telemetry";
import { vectorStoreTypes } from "@weft/vector-stores";
import type { z } from "zod";

export type FlowReference = Reference & { nodeId: string };

/** The references of a flow's steps, in order. A step of an unknown type has none. */
export function referencesOfFlow(
  { nodes }: { nodes: readonly (Pick<FlowNode, "id" | "type"> & { config: Json })[] },
  nodeTypes: NodeRegistry,
): FlowReference[] {
  return nodes.flatMap(({ id: nodeId, type, config }) => {
    const nodeType = Object.hasOwn(nodeTypes, type) ? nodeTypes[type] : undefined;
    if (nodeType === undefined) return [];
    const found = referencesOf(config, { schema: nodeType.config, component: type }, findComponent);
    return found.map((reference) => ({ ...reference, nodeId }));
  });
}

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

/** A model, or a speech service, with its credential. */
export type NamedModel = {
  credential?: string | undefined;
  provider?: string | undefined;
  baseUrl?: string | undefined;
};

/**
 * Settings of existing clients name each service by a key of its own, so their readers list the references: speech, the
 * model of follow-ups, and trace destinations. The address of the latter is in the credential itself.
 */
export function referencesOfSettings({
  speechToText = "{}",
  chatbotConfig = "{}",
  analytic = "{}",
}: NamingSettings): Reference[] {
  const heard = parseSpeechToText(speechToText);
  const spoken = parseTextToSpeech(chatbotConfig);
  const { chosen: tracing } = readTracingServices(analytic);
  return [
    ...referencesOfModel({ ...heard, credential: heard?.credentialId }, ["speechToText"]),
    ...referencesOfModel({ provider: spoken?.provider.name, credential: spoken?.credentialId }, ["textToSpeech"]),
    ...referencesOfModel(parseFollowUps(chatbotConfig)?.model ?? {}, ["followUpPrompts"]),
    ...tracing
      .filter(({ credentialId }) => credentialId !== "")
      .map(({ name, credentialId }) => {
        const path = ["analytic", name, "credential"];
        return { kind: "credential", id: credentialId, path, beside: {}, component: name } as const;
      }),
  ];
}

export function referencesOfModel(
  { credential = "", provider = "", baseUrl = "" }: NamedModel,
  below: readonly string[] = [],
): Reference[] {
  if (credential === "") return [];
  const beside = { credential, provider, baseUrl };
  const { goesTo } = credentialOfModel;
  return [{ kind: "credential", id: credential, path: [...below, "credential"], goesTo, beside, component: "" }];
}
