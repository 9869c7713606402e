import type { Json, JsonObject } from "@weft/schema";

/** The arguments without keys whose value is null, and without objects that became empty by it, at every depth. */
export function removeNulls(args: JsonObject): JsonObject {
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(args)) {
    if (value === null) continue;
    const cleaned = clean(value);
    if (!becameEmpty(value, cleaned)) kept.push([key, cleaned]);
  }
  return Object.fromEntries(kept);
}

function clean(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => (item === null ? item : clean(item)));
  return value !== null && typeof value === "object" ? removeNulls(value) : value;
}

function becameEmpty(before: Json, after: Json): boolean {
  return isEmptyObject(after) && !isEmptyObject(before);
}

function isEmptyObject(value: Json): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0;
}
