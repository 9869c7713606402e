import { decodeBytes, type EncodingHints, isText } from "@weft/knowledge/encoding";
import { Unreadable } from "./unreadable.ts";

/** Text of a file, as `decodeBytes` finds it. Throws for what is no text. */
export function decodeText(bytes: Uint8Array, hints?: EncodingHints): string {
  const text = decodeBytes(bytes, hints);
  if (!isText(text)) throw new Unreadable("it is not text, or in an unknown encoding; save it as UTF-8");
  return text;
}
