export { createDocumentReader, type DocumentReader, inNameOf } from "./create-document-reader.ts";
export { mediaTypesOf } from "./detect-format.ts";
export { type DocumentContent, type DocumentFormat, type DocumentParts, toText } from "./document.ts";
export { type DocumentLimits, standardLimits } from "./limits.ts";
export { detectFormat, requireFormat } from "./require-format.ts";
