import { defineFeature } from "../feature.ts";
import { flowRoutes } from "./flow.routes.ts";
import { createFlowService, type FlowService } from "./flow.service.ts";
import { createFlowImportService } from "./import-flow.ts";

declare module "../feature.ts" {
  interface Services {
    flows: FlowService;
  }
}

export const flows = defineFeature({
  name: "flows",
  needs: [
    "apiKeys",
    "commandServers",
    "credentials",
    "destinations",
    "documentStores",
    "nodeServices",
    "runnables",
    "schedules",
    "tools",
    "variables",
  ],
  service: createFlowService,
});

export const flowImports = defineFeature({
  name: "flowImports",
  needs: ["agentReader", "agents", "credentials", "documentStores", "flows"],
  service: createFlowImportService,
  routes: (imports, { agents, flows }) => flowRoutes({ flows, imports, agents }),
  stop: (imports) => imports.close(),
});
