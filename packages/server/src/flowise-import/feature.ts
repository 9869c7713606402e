import type { FlowiseReport } from "@weft/schema";
import { storedUses } from "../credentials/index.ts";
import { defineFeature } from "../feature.ts";
import { type FlowiseImportDeps, type FlowiseImportOptions, importFlowise } from "./import-flowise.ts";
import { flowiseImportRoutes } from "./over-http/flowise-import.routes.ts";
import { createFlowiseImportService } from "./over-http/flowise-import.service.ts";

declare module "../feature.ts" {
  interface Services {
    /** As `importFlowise`, into this installation. */
    flowiseImport: (options: FlowiseImportOptions) => Promise<FlowiseReport>;
  }
}

export const flowiseImport = defineFeature({
  name: "flowiseImport",
  needs: [
    "agents",
    "apiKeys",
    "assistants",
    "chats",
    "credentialUses",
    "credentials",
    "destinations",
    "documentStores",
    "flows",
    "references",
    "schedules",
    "tools",
    "variables",
    "webhooks",
  ],
  service({ database }, { chats, credentialUses: uses, destinations, documentStores, references, ...needs }) {
    const deps: FlowiseImportDeps = {
      ...needs,
      database,
      documentStores,
      files: chats.files,
      checkFlow: needs.flows.check,
      keepScheduleOff: needs.schedules.keepOff,
      adoptWebhookSecret: needs.webhooks.secrets.adopt,
      makeStores: documentStores.own.make,
      async confirmDestinations(ids, by) {
        const stored = await storedUses(database.read, { uses, references });
        const imported = stored.filter(({ credential }) => ids.has(credential));
        await destinations.confirm(imported, by);
      },
      embed: async (storeId, loaderIds) => void (await documentStores.upserts.beginInsertOf(storeId, loaderIds)),
    };
    return (options) => importFlowise(deps, options);
  },
});

export const flowiseImportOverHttp = defineFeature({
  name: "flowiseImportOverHttp",
  needs: ["flowiseImport"],
  service: ({ config: { dataDir }, logger }, { flowiseImport }) =>
    createFlowiseImportService({ dataDir, importFlowise: flowiseImport, logger }),
  routes: flowiseImportRoutes,
  start: (imports) => imports.start(),
  stop: (imports) => imports.stop(),
  // A worker has no uploads, and may share the folder with a process that does.
  startedBy: ["all", "api"],
});
