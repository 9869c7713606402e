import type { FlowiseReport } from "@weft/schema";
import { defineFeature } from "../feature.ts";
import { type FlowiseImportOptions, importFlowise } from "./import-flowise.ts";
import { flowiseImportRoutes } from "./over-http/flowise-import.routes.ts";
import { createFlowiseImportService } from "./over-http/flowise-import.service.ts";

declare module "../feature.ts" {
  interface Services {
    /** Like `importFlowise`, into this installation. */
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
  service: (context, needs) => (options) => importFlowise(context, needs, options),
});

export const flowiseImportOverHttp = defineFeature({
  name: "flowiseImportOverHttp",
  needs: ["flowiseImport"],
  service: createFlowiseImportService,
  routes: flowiseImportRoutes,
  start: (imports) => imports.start(),
  stop: (imports) => imports.stop(),
  // A worker has no uploads, and may share the folder with a process that does.
  startedBy: ["all", "api"],
});
