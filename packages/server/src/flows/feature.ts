import { ifFound } from "@weft/http";
import { integrations } from "@weft/integrations";
import { defineFeature } from "../feature.ts";
import { createReachCheck } from "../references/index.ts";
import { flowRoutes } from "./flow.routes.ts";
import { createFlowService, type FlowService } from "./flow.service.ts";
import { createFlowImportService } from "./import-flow.ts";

declare module "../feature.ts" {
  interface Services {
    flows: FlowService;
  }
}

/** What is wrong with flows. */
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
  service({ database, nodeTypes }, needs) {
    const { apiKeys, commandServers, credentials, destinations, documentStores, nodeServices, tools } = needs;
    return createFlowService({
      nodeTypes,
      integrations,
      storedTools: tools,
      services: nodeServices,
      checkSchedule: needs.schedules.check,
      checkHosts: destinations.check,
      findApiKey: apiKeys.find,
      variableNames: async () => Object.keys(await needs.variables.all()),
      storeProblems: documentStores.own.problems,
      known: {
        credential: credentials.has,
        tool: async (id) => (await tools.find(id)) !== undefined,
        agent: (id) => needs.runnables.exists(database.read, id),
        "document-store": async (id) => (await ifFound(documentStores.stores.get(id))) !== undefined,
        "mcp-server": async (name) => commandServers.names.includes(name),
      },
    });
  },
});

export const flowImports = defineFeature({
  name: "flowImports",
  needs: ["agentReader", "agents", "credentials", "documentStores", "flows"],
  service: ({ ids, nodeTypes }, { agentReader, agents, credentials, documentStores, flows }) =>
    createFlowImportService({
      flows,
      agents,
      credentials,
      ids,
      listAgents: agentReader.listSettings,
      makeStores: documentStores.own.make,
      assertMayName: createReachCheck(nodeTypes),
    }),
  routes: (imports, { agents, flows }) => flowRoutes({ flows, imports, agents }),
  stop: (imports) => imports.close(),
});
