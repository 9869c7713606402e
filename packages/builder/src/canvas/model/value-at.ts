import type { Json } from "@weft/schema";

/** What is at a dotted path of a config; undefined if the path leads nowhere. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((inner, key) => {
    if (typeof inner !== "object" || inner === null) return undefined;
    return Array.isArray(inner) ? inner[Number(key)] : inner[key];
  }, value);
}
