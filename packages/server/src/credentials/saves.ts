import type { Tables } from "@weft/database";
import type { Agent, Assistant, ModelChoice } from "@weft/schema";
import type { Kysely } from "kysely";
import { referencesOfChoice, referencesOfStore, type StoredReferences, toChoice } from "../references/index.ts";
import type { CredentialUses } from "./credential-uses.ts";
import type { UsesOfSave } from "./destinations.ts";

/** What each save names that lets its caller confirm destinations, by the route's `operationId`. */
type Saves = Readonly<Record<string, UsesOfSave>>;

export function savesOfAgents(uses: CredentialUses, { ofAgent }: Pick<StoredReferences, "ofAgent">): Saves {
  const ofSaved: UsesOfSave = (saved) => {
    const agent = saved as Agent;
    return uses(ofAgent(agent), agent.apiConfig);
  };
  return { createAgent: ofSaved, updateAgent: ofSaved, restoreAgentVersion: ofSaved };
}

export function savesOfAssistants(uses: CredentialUses): Saves {
  const ofAssistant: UsesOfSave = (saved) => {
    const { credential, details } = saved as Assistant;
    return uses(referencesOfChoice({ credential, provider: details.provider }));
  };
  return { createAssistant: ofAssistant, updateAssistant: ofAssistant };
}

export function savesOfModels(uses: CredentialUses): Saves {
  return { chooseDefaultModel: (choice) => uses(referencesOfChoice(choice as ModelChoice)) };
}

/**
 * A store is looked at whole, whatever of it was saved. Upserts save nothing that they have not already sent, so they
 * confirm nothing.
 */
export function savesOfStores(read: Kysely<Tables>, uses: CredentialUses): Saves {
  const ofStore: UsesOfSave = async (saved, { params, body }) => {
    const storeId = [saved, params, body].map(storeIdIn).find((id) => id !== undefined) ?? "";
    const store = await read.selectFrom("documentStores").selectAll().where("id", "=", storeId).executeTakeFirst();
    if (store === undefined) return [];
    const loaders = read
      .selectFrom("documentLoaders")
      .select(["loader", "loaderConfig"])
      .where("storeId", "=", storeId);
    return uses(referencesOfStore({ ...store, loaders: (await loaders.execute()).map(toChoice) }));
  };
  return {
    createDocumentStore: ofStore,
    updateDocumentStore: ofStore,
    saveVectorStoreSettings: ofStore,
    saveLoader: ofStore,
  };
}

function storeIdIn(value: unknown): string | undefined {
  const { storeId, id } = (value ?? {}) as { storeId?: unknown; id?: unknown };
  return [storeId, id].find((each) => typeof each === "string") as string | undefined;
}
