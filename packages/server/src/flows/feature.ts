import { defineRoute, ifFound, type Route } from "@weft/http";
import { reachOf } from "@weft/http/identity";
import { commonLimits } from "@weft/http/json-limits";
import {
  type Agent,
  type Finding,
  flowImportRequestSchema,
  flowImportSchema,
  flowReadingRequestSchema,
  flowReadingSchema,
} from "@weft/schema";
import { defineFeature } from "../feature.ts";
import { createFlowService, type FlowService } from "./flow.service.ts";
import { createFlowImportService, type FlowImportService } from "./import-flow.ts";

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
  routes: (imports, { agents, flows }) => flowRoutes(flows, imports, agents),
  stop: (imports) => imports.close(),
});

const tag = "Flows";

/** Room for the longest flow: more is rejected while it is read. */
const jsonLimits = { ...commonLimits, characters: 12_000_000 };

/** Routes for flows, whether or not an agent has them. */
function flowRoutes(
  flows: FlowService,
  imports: FlowImportService,
  agents: { get(id: string): Promise<Agent>; findings(id: string): Promise<Finding[]> },
): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/flows/read",
      operationId: "readFlow",
      audit: false,
      summary: "Convert a flow of any dialect to the native format and check it",
      description:
        "Takes any value accepted as an agent's `flowData` or the text of an exported file, or files of another builder: a Foundry workflow with its agents, or the code that Agent Builder exports. Nothing is stored or executed.",
      tag,
      permission: "agents:read",
      agent: "reach",
      body: flowReadingRequestSchema,
      jsonLimits,
      bodyErrorStatus: 422,
      returns: { schema: flowReadingSchema },
      errors: [400, 422],
      handle: ({ body, identity }) =>
        "flowData" in body ? flows.read(body.flowData, body.agentId) : imports.preview(body, reachOf(identity)),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/flows/import",
      operationId: "importFlow",
      summary: "Create an agent from exported files",
      description:
        "Takes the files that `/flows/read` takes. Secrets in them are stored as credentials, if you may write credentials, and never appear in the flow. Nothing is executed.",
      tag,
      permission: "agents:write",
      body: flowImportRequestSchema,
      jsonLimits,
      bodyErrorStatus: 422,
      returns: { schema: flowImportSchema },
      errors: [400, 422],
      recall: (id) =>
        ifFound(
          agents.get(id).then(async (agent) => ({ agent, findings: await agents.findings(id), credentials: [] })),
        ),
      handle: ({ body, identity, newId }) => imports.import(body, { identity, reach: reachOf(identity), newId }),
    }),
  ];
}
