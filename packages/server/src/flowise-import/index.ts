export { describeReport } from "./describe-report.ts";
export { FlowiseImportError, type FlowiseImportOptions } from "./import-flowise.ts";
