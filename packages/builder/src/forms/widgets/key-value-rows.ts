import type { Json, JsonObject } from "@weft/schema";

/** A name and a value as they are typed; names may be empty or the same for a while. */
export type KeyValueRow = { key: string; text: string };

export function toRows(object: JsonObject): KeyValueRow[] {
  return Object.entries(object).map(([key, value]) => ({ key, text: toValueText(value) }));
}

/** Rows without a name are left out; of the same name the first counts. */
export function fromRows(rows: readonly KeyValueRow[]): JsonObject {
  const named = rows.filter(({ key }) => key !== "").map(({ key, text }) => [key, fromValueText(text)] as const);
  return Object.fromEntries(named.filter(([key], index) => named.findIndex(([one]) => one === key) === index));
}

/** Parses JSON values other than strings: `5`, `true`, `["a"]`. A string that looks like one of them is quoted. */
export function fromValueText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

export function toValueText(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return isJson(value) ? JSON.stringify(value) : value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
