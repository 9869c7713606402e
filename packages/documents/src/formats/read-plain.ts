import { xmlEncoding } from "@weft/knowledge/encoding";
import { decodeText } from "../decode-text.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";

/** The text of the file, unchanged. */
export function readPlain({ bytes, format, label, budget }: ReadContext): ReadResult {
  const text = decodeText(bytes, { label, ...(format === "xml" && { declared: xmlEncoding }) });
  return { sections: [{ text: budget.take(text), metadata: {} }] };
}
