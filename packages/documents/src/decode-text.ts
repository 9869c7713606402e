import { decodeBytes, type EncodingHints, isText } from "@weft/knowledge/encoding";
import { Unreadable } from "./unreadable.ts";

/** Decodes a file's text with `decodeBytes`. Throws if it is not text. */
export function decodeText(bytes: Uint8Array, hints?: EncodingHints): string {
  const text = decodeBytes(bytes, hints);
  if (!isText(text)) throw new Unreadable("it is not text, or in an unknown encoding; save it as UTF-8");
  return text;
}
