export { describeReport } from "./describe-report.ts";
export { FlowiseImportError, type FlowiseImportOptions, importFlowise } from "./import-flowise.ts";
export { flowiseImportRoutes } from "./over-http/flowise-import.routes.ts";
export { createFlowiseImportService } from "./over-http/flowise-import.service.ts";
export { toImportDeps } from "./to-import-deps.ts";
