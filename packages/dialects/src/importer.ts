// For those that turn files of other builders into flows: what they return, what they refuse, what a native flow permits.
export { type ImportErrorCode, toImportError } from "./import-error.ts";
export type { ConfigPlace, ImportChoice, ImportedFlow, ImportedSecret, ImportFile } from "./imported-flow.ts";
export { findExcess, isNativeId, toUnusedId } from "./native-flow.ts";
export { describeOther } from "./other-builders.ts";
