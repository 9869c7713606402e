import type { Parts } from "../compose.ts";
import { storedUses } from "../credentials/index.ts";
import type { FlowiseImportDeps } from "./import-flowise.ts";

/** Picks an import's dependencies from the parts of a platform. */
export function toImportDeps(parts: Parts): FlowiseImportDeps {
  const { base, material, identity, agents, assistants, flows, triggers, runtime } = parts;
  const { credentials, variables, tools, destinations, references, uses } = material;
  const { documentStores } = runtime;
  return {
    database: base.database,
    credentials,
    variables,
    tools,
    apiKeys: identity.apiKeys,
    documentStores,
    agents,
    assistants,
    files: parts.chats.files,
    checkFlow: flows.check,
    keepScheduleOff: triggers.schedules.keepOff,
    adoptWebhookSecret: triggers.adoptWebhookSecret,
    makeStores: documentStores.own.make,
    async confirmDestinations(ids, by) {
      const stored = await storedUses(base.database.read, { uses, references });
      await destinations.confirm(
        stored.filter(({ credential }) => ids.has(credential)),
        by,
      );
    },
    embed: async (storeId, loaderIds) => void (await documentStores.upserts.beginInsertOf(storeId, loaderIds)),
  };
}
