import { defineFeature } from "../feature.ts";
import { createExportService, type ExportService } from "./export.service.ts";
import { createImportService, type ImportService } from "./import.service.ts";
import { transferRoutes } from "./transfer.routes.ts";

declare module "../feature.ts" {
  interface Services {
    transfer: { exporter: ExportService; importer: ImportService };
  }
}

export const transfer = defineFeature({
  name: "transfer",
  needs: ["agents", "assistants", "documentStores", "tools", "variables"],
  service({ clock, config, database: { read } }, needs) {
    const exporter = createExportService({ read, config, now: clock.now });
    const importer = createImportService({ ...needs, read, exporter });
    return { exporter, importer };
  },
  routes: ({ exporter, importer }) => transferRoutes(exporter, importer),
});
