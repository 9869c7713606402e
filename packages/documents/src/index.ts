export { createDocumentReader, type DocumentReader, inNameOf } from "./create-document-reader.ts";
export { detectFormat, mediaTypesOf, requireFormat } from "./detect-format.ts";
export { type DocumentContent, type DocumentFormat, toText } from "./document.ts";
export { type DocumentLimits, standardLimits } from "./limits.ts";
