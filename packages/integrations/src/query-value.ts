import type { Json } from "@weft/schema";

/** Query parameters of one value: an array repeats the name, an object is sent as JSON, null is left out. */
export function toQueryPairs(name: string, value: Json): [string, string][] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.filter((item) => item !== null).map((item) => [name, toPlainText(item)]);
  return [[name, toPlainText(value)]];
}

/** Text as it is, data as JSON. */
export function toPlainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
