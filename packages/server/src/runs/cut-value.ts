import type { Json } from "@weft/schema";

const maxLength = 64 * 1024;

/** The value, or where its JSON text is longer than 64 KiB the beginning of its text and a note. */
export function cutValue(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= maxLength) return value;
  return `${text.slice(0, maxLength)}… (cut: ${text.length} characters in all)`;
}
