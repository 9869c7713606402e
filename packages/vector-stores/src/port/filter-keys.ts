import type { JsonObject } from "@weft/schema";

/**
 * A short name for "this field has this value", the same everywhere, for stores to index. Two facts may share one (of
 * 2^53), so what was found by it is checked with `matchesFilter`.
 */
function toFilterKey(name: string, value: string | number | boolean): string {
  return hash53(JSON.stringify([name, value])).toString(36);
}

/** The keys of every field that can be filtered by: texts, numbers and booleans. */
export function toFilterKeys(metadata: JsonObject): string[] {
  return Object.entries(metadata).flatMap(([name, value]) => (isFilterable(value) ? [toFilterKey(name, value)] : []));
}

/** Whether the metadata have each of the filter's values. */
export function matchesFilter(metadata: JsonObject, filter: JsonObject): boolean {
  return Object.entries(filter).every(([name, value]) => Object.hasOwn(metadata, name) && metadata[name] === value);
}

function isFilterable(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** cyrb53 by bryc (public domain): fast, well spread, not for secrets. */
function hash53(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
