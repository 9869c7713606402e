export { createExportService } from "./export.service.ts";
export { createImportService } from "./import.service.ts";
export { transferRoutes } from "./transfer.routes.ts";
