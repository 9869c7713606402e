import { defineRoute, type Route } from "@weft/http";
import { type FlowiseReport, flowiseImportSchema, flowiseImportStartSchema } from "@weft/schema";
import { z } from "zod";
import { toConfirmer } from "../credentials/index.ts";
import { defineFeature } from "../feature.ts";
import { type FlowiseImportOptions, importFlowise } from "./import-flowise.ts";
import { createFlowiseImportService, type FlowiseImportService } from "./over-http/flowise-import.service.ts";

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

const common = {
  path: "/api/v1/flowise-import",
  tag: "Export and import",
  permission: "installation:import",
  returns: { schema: flowiseImportSchema },
} as const;

/** Routes of `/flowise-import`. */
function flowiseImportRoutes(imports: FlowiseImportService): Route[] {
  return [
    uploadRoute(imports),
    defineRoute({
      ...common,
      method: "GET",
      operationId: "getFlowiseImport",
      summary: "Show the uploaded file of Flowise, and the progress or report of its import",
      errors: [],
      handle: imports.state,
    }),
    defineRoute({
      ...common,
      method: "POST",
      operationId: "startFlowiseImport",
      summary: "Begin a dry run or an import of the uploaded file",
      description:
        "Takes over what the file holds, under the same ids. What is here already is left alone, so an import that was interrupted can be repeated. Ask for the progress and the report with GET. After an import the file and the key are removed.",
      body: flowiseImportStartSchema,
      errors: [409, 422],
      handle: ({ body, identity }) => imports.begin({ ...body, by: toConfirmer(identity) }),
    }),
    defineRoute({
      ...common,
      method: "DELETE",
      operationId: "cancelFlowiseImport",
      summary: "End what is running, and remove the uploaded file and its key",
      description: "What was imported before stays.",
      errors: [],
      handle: imports.cancel,
    }),
  ];
}

function uploadRoute(imports: FlowiseImportService): Route {
  return defineRoute({
    ...common,
    method: "PUT",
    path: "/api/v1/flowise-import/file",
    operationId: "uploadFlowiseFile",
    summary: "Upload database.sqlite or ExportData.json of Flowise, whole or in parts",
    description:
      "At most 2 GiB. Of several parts each says where it begins, and the first one replaces an earlier file. The last one is refused if Flowise did not write the file.",
    takesRawBody: "application/octet-stream",
    query: z.object({
      name: z.string().min(1).max(200).meta({ description: "Name of the file" }),
      sizeBytes: z.coerce.number().int().min(1).meta({ description: "Size of the whole file" }),
      offset: z.coerce.number().int().min(0).default(0).meta({ description: "Where in the file the part begins" }),
    }),
    errors: [400, 409, 422],
    handle: ({ query, readPieces }) => imports.receive({ ...query, read: readPieces }),
  });
}
