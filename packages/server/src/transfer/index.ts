export { createExportService, openSecretStripper } from "./export.service.ts";
