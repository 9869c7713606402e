export { createExportService } from "./export.service.ts";
