export type { FlowiseFile, FlowiseSource, OpenFlowiseOptions, Unsealed } from "./flowise-source.ts";
export { FlowiseSourceError } from "./flowise-source-error.ts";
export { type FlowiseRow, type FlowiseTable, flowiseTables } from "./flowise-tables.ts";
export { openFlowise } from "./open-flowise.ts";
