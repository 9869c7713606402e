export { describeReport } from "./describe-report.ts";
export { FlowiseImportError, type FlowiseImportOptions } from "./import-flowise.ts";
export { importInto } from "./import-into.ts";
export type { FlowiseReport } from "./report.ts";
