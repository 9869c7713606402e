import type { NamingSettings } from "@weft/agents";
import type { Tables } from "@weft/database";
import { readFlow } from "@weft/dialects";
import { type Reference, referencesOf } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import {
  type ComponentChoice,
  type ComponentKind,
  isJsonObject,
  modelChoiceSchema,
  type OwnStore,
  parseJson,
  parseJsonObject,
  retrievalSettingsSchema,
  type Use,
} from "@weft/schema";
import { createPause } from "@weft/workers";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import {
  findComponent,
  type NamedModel,
  referencesOfFlow,
  referencesOfModel,
  referencesOfSettings,
} from "./find-references.ts";

/** A reference in stored data. `nodeId` and `step` are null outside flows. */
export type StoredReference = Reference & { nodeId: string | null; step: string | null };

export type StoredPlace = Pick<Use, "resource" | "id" | "name" | "isDraft"> & {
  /** Of an agent; elsewhere nothing is overridden. */
  apiConfig?: string;
  references: readonly StoredReference[];
};

/** The parts of an agent that hold references. */
export type AgentParts = NamingSettings & { flowData: string; apiConfig?: string };

/** The parts of a document store that hold references. `embeddingConfig` and the like are JSON text. */
export type StoreSettings = {
  embeddingConfig: string;
  vectorStoreConfig: string;
  retrievalConfig: string;
  loaders: readonly ComponentChoice[];
};

/** Versions whose references are cached: they never change. */
const keptVersions = 2_000;

/** Finds the references in stored data. Executes nothing and never throws for bad data. */
export type StoredReferences = {
  /** `versionId`: of the flow, if it is a saved one. */
  ofAgent(agent: AgentParts, versionId?: string): StoredReference[];
  /** Everything stored, one item after the other, so that others are served in between. */
  all(read: Kysely<Tables>): AsyncGenerator<StoredPlace>;
};

export function createStoredReferences(nodeTypes: NodeRegistry): StoredReferences {
  const known = new LRUCache<string, readonly StoredReference[]>({ max: keptVersions });

  function ofFlow(flowData: string): StoredReference[] {
    const { flow, stores = [] } = readFlow(flowData);
    const labels = new Map(flow.nodes.map(({ id, label }) => [id, label]));
    const steps = referencesOfFlow(flow, nodeTypes).map((reference) => ({
      ...reference,
      step: labels.get(reference.nodeId) ?? null,
    }));
    return [...steps, ...stores.flatMap((store) => outsideFlows(referencesOfOwnStore(store)))];
  }

  function ofVersion(versionId: string, flowData: string): readonly StoredReference[] {
    const kept = known.get(versionId) ?? ofFlow(flowData);
    known.set(versionId, kept);
    return kept;
  }

  const ofAgent: StoredReferences["ofAgent"] = ({ flowData, ...settings }, versionId) => [
    ...(versionId === undefined ? ofFlow(flowData) : ofVersion(versionId, flowData)),
    ...outsideFlows(referencesOfSettings(settings)),
  ];

  return {
    ofAgent,
    async *all(read) {
      const pause = createPause();
      for (const { id, name, versionId, ...agent } of await listAgents(read)) {
        const { apiConfig } = agent;
        yield { resource: "agent", id, name, isDraft: false, apiConfig, references: ofAgent(agent, versionId) };
        await pause();
      }
      for (const { agentId: id, name, flowData } of await listDrafts(read)) {
        yield { resource: "agent", id, name, isDraft: true, references: ofFlow(flowData) };
        await pause();
      }
      for (const { id, versionId, flowData, details } of await listAssistants(read)) {
        const name = String(parseJsonObject(details)?.name ?? "");
        yield { resource: "assistant", id, name, isDraft: false, references: ofVersion(versionId, flowData) };
        await pause();
      }
      for (const { id, name, ...store } of await listStores(read)) {
        yield { resource: "document-store", id, name, isDraft: false, references: referencesOfStore(store) };
        await pause();
      }
      const chosen = await read.selectFrom("settings").select("value").where("name", "=", "default-model").execute();
      for (const { value } of chosen) {
        const references = referencesOfChoice(modelChoiceSchema.parse(JSON.parse(value)));
        yield { resource: "default-model", id: "", name: "", isDraft: false, references };
      }
    },
  };
}

/** References of a document store and its loaders. */
export function referencesOfStore({
  embeddingConfig,
  vectorStoreConfig,
  retrievalConfig,
  loaders,
}: StoreSettings): StoredReference[] {
  return outsideFlows([
    ...referencesOfComponent("embedding", parseJson(embeddingConfig)),
    ...referencesOfComponent("vector-store", parseJson(vectorStoreConfig)),
    ...loaders.flatMap((loader) => referencesOfComponent("loader", loader)),
    ...referencesOf(parseJson(retrievalConfig) ?? {}, { schema: retrievalSettingsSchema }, findComponent),
  ]);
}

/** References of a chosen model: of an assistant, or the default model. */
export function referencesOfChoice(choice: NamedModel): StoredReference[] {
  return outsideFlows(referencesOfModel(choice));
}

function outsideFlows(references: readonly Reference[]): StoredReference[] {
  return references.map((reference) => ({ ...reference, nodeId: null, step: null }));
}

function listAgents(read: Kysely<Tables>) {
  return read
    .selectFrom("agents")
    .select(["id", "name", "versionId", "flowData", "apiConfig", "speechToText", "chatbotConfig", "analytic"])
    .orderBy("name")
    .orderBy("id")
    .execute();
}

function listDrafts(read: Kysely<Tables>) {
  return read
    .selectFrom("agentDrafts")
    .innerJoin("agents", "agents.id", "agentDrafts.agentId")
    .select(["agentDrafts.agentId", "agents.name", "agentDrafts.flowData"])
    .orderBy("agents.name")
    .orderBy("agentDrafts.agentId")
    .execute();
}

function listAssistants(read: Kysely<Tables>) {
  return read
    .selectFrom("assistants")
    .innerJoin("agentVersions", "agentVersions.id", "assistants.versionId")
    .select(["assistants.id", "assistants.versionId", "assistants.details", "agentVersions.flowData"])
    .orderBy("assistants.id")
    .execute();
}

async function listStores(read: Kysely<Tables>): Promise<(StoreSettings & { id: string; name: string })[]> {
  const stores = await read.selectFrom("documentStores").selectAll().orderBy("name").orderBy("id").execute();
  const rows = await read.selectFrom("documentLoaders").select(["storeId", "loader", "loaderConfig"]).execute();
  const loadersOf = Map.groupBy(rows, ({ storeId }) => storeId);
  return stores.map((store) => ({ ...store, loaders: (loadersOf.get(store.id) ?? []).map(toChoice) }));
}

/** A stored loader as a component choice. */
export function toChoice({ loader, loaderConfig }: { loader: string; loaderConfig: string }): ComponentChoice {
  return { name: loader, config: parseJsonObject(loaderConfig) ?? {} };
}

/** References of a document store's component: `{ name, config }` as it is stored. Empty for anything else. */
function referencesOfComponent(kind: ComponentKind, choice: unknown): Reference[] {
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
