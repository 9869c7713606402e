import type { Tables } from "@weft/database";
import type { ConfirmSave, SavedKind } from "@weft/http";
import type { Identity } from "@weft/http/identity";
import type { Agent, Assistant, ModelChoice } from "@weft/schema";
import type { Kysely } from "kysely";
import { referencesOfChoice, referencesOfStore, type StoredReferences, toChoice } from "../references/index.ts";
import type { CredentialUse, CredentialUses } from "./credential-uses.ts";
import { type Destinations, toConfirmer } from "./destinations.ts";

export type SavesDeps = {
  read: Kysely<Tables>;
  destinations: Destinations;
  uses: CredentialUses;
  references: StoredReferences;
};

type Request = Parameters<ConfirmSave>[2];
type UsesOfSave = (saved: unknown, request: Request) => Promise<readonly CredentialUse[]>;

/** Confirms the destinations in saved items, for routes with `confirms`. */
export function createConfirmSave({ read, destinations, uses, references }: SavesDeps): ConfirmSave {
  const usesOf: Record<SavedKind, UsesOfSave> = {
    agent(saved) {
      const agent = saved as Agent;
      return uses(references.ofAgent(agent), agent.apiConfig);
    },
    assistant(saved) {
      const { credential, details } = saved as Assistant;
      return uses(referencesOfChoice({ credential, provider: details.provider }));
    },
    model: (choice) => uses(referencesOfChoice(choice as ModelChoice)),
    "document-store": (saved, request) => usesOfStore(read, uses, storeIdOf(saved, request)),
  };
  return async (kind, saved, request) => {
    await destinations.confirm(await usesOf[kind](saved, request), toConfirmer(request.identity as Identity));
  };
}

/**
 * A store is examined whole, whatever part of it was saved. Upserts save nothing that they have not already sent, so
 * they confirm nothing.
 */
async function usesOfStore(read: Kysely<Tables>, uses: CredentialUses, storeId: string) {
  const store = await read.selectFrom("documentStores").selectAll().where("id", "=", storeId).executeTakeFirst();
  if (store === undefined) return [];
  const loaders = read.selectFrom("documentLoaders").select(["loader", "loaderConfig"]).where("storeId", "=", storeId);
  return uses(referencesOfStore({ ...store, loaders: (await loaders.execute()).map(toChoice) }));
}

function storeIdOf(saved: unknown, { params, body }: Request): string {
  return [saved, params, body].map(storeIdIn).find((id) => id !== undefined) ?? "";
}

function storeIdIn(value: unknown): string | undefined {
  const { storeId, id } = (value ?? {}) as { storeId?: unknown; id?: unknown };
  return [storeId, id].find((each) => typeof each === "string") as string | undefined;
}
