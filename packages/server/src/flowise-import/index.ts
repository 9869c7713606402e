export { FlowiseImportError, type FlowiseImportOptions } from "./import-flowise.ts";
