import type { Json } from "@weft/schema";

/** Text as every database takes it: NUL is dropped, half a character becomes U+FFFD. */
export function toStorableText(text: string): string {
  return (text.includes("\0") ? text.replaceAll("\0", "") : text).toWellFormed();
}

/** A JSON value with all its texts and keys so. */
export function toStorable(value: Json): Json {
  if (typeof value === "string") return toStorableText(value);
  if (Array.isArray(value)) return value.map(toStorable);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [toStorableText(key), toStorable(item)]));
}
