import { createHash } from "node:crypto";

/** The same for equal values, whatever the order of their keys. Absent and undefined are equal. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(toCanonicalText(value)).digest("hex").slice(0, 32);
}

/** JSON with sorted keys. */
export function toCanonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
