import { defineRoute, type Route } from "@weft/http";
import { commonLimits } from "@weft/http/json-limits";
import { exportFileSchema, formFlagSchema, importFileSchema, importModeSchema, importReportSchema } from "@weft/schema";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import { createExportService, type ExportService } from "./export.service.ts";
import { createImportService, type ImportService } from "./import.service.ts";

declare module "../feature.ts" {
  interface Services {
    transfer: { exporter: ExportService; importer: ImportService };
  }
}

export const transfer = defineFeature({
  name: "transfer",
  needs: ["agents", "assistants", "documentStores", "tools", "variables"],
  service({ clock, config, database: { read } }, needs) {
    const exporter = createExportService(read, config, clock.now);
    const importer = createImportService({ ...needs, read, exporter });
    return { exporter, importer };
  },
  routes: ({ exporter, importer }) => transferRoutes(exporter, importer),
});

const tag = "Export and import";

/** Flows are texts, so that even a large installation has few values. */
const jsonLimits = { ...commonLimits, values: 1_000_000 };

/** Routes of `/export` and `/import`. */
function transferRoutes(exporter: ExportService, importer: ImportService): Route[] {
  return [exportRoute(exporter), importRoute(importer)];
}

function exportRoute(exporter: ExportService): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/export",
    operationId: "exportInstallation",
    audit: "always",
    summary: "Export agents, tools, variables, assistants and document stores, without secrets",
    description:
      "One file that POST /import takes. Credentials are named and never exported, and neither are API keys, documents, chats and executions.",
    tag,
    permission: "installation:export",
    query: z.object({
      versions: z
        .enum(["all", "current"])
        .default("all")
        .meta({ description: "Whether agents bring their earlier flows" }),
    }),
    returns: { schema: exportFileSchema },
    errors: [400],
    async handle({ query, method }) {
      const text = method === "HEAD" ? "" : await exporter.text(query.versions);
      return new Response(text, {
        headers: {
          "content-type": "application/json; charset=utf-8",
          "content-disposition": 'attachment; filename="weft-export.json"',
        },
      });
    },
  });
}

function importRoute(importer: ImportService): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/import",
    operationId: "importInstallation",
    summary: "Import an export file",
    description:
      "Checks the whole file before anything is written. What is here under the same id is left alone if it is the same; mode says what happens to the rest. Import the file again to complete an interrupted import.",
    tag,
    permission: "installation:import",
    query: z.object({
      mode: importModeSchema
        .default("skip")
        .meta({ description: "skip keeps what differs here, overwrite takes what the file says" }),
      dryRun: formFlagSchema.default(false).meta({ description: "Only report what an import would do" }),
    }),
    body: importFileSchema,
    jsonLimits,
    bodyErrorStatus: 422,
    returns: { schema: importReportSchema },
    errors: [400, 422],
    handle: ({ body, query }) => importer.run(body, query),
  });
}
