import type { JsonObject } from "@weft/schema";
import { parseObject } from "../parse-config.ts";

/** Metadata for the documents of a request, as an object or as JSON text. Throws `parameters-invalid`. */
export function parseMetadata(value: unknown): JsonObject {
  return parseObject("metadata", value);
}
