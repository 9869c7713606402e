export { createDocumentReader, type DocumentReader, inNameOf } from "./create-document-reader.ts";
export { detectFormat, mediaTypesOf, requireFormat } from "./detect-format.ts";
export {
  type DocumentContent,
  type DocumentFormat,
  type DocumentInput,
  type DocumentSection,
  toText,
} from "./document.ts";
export { type DocumentLimits, standardLimits } from "./limits.ts";
