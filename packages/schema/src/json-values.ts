import type { Json, JsonObject } from "./json.ts";

/** Whether a value that came from JSON is an object: neither null nor a list. Its members are not looked at. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an object as it is, and an empty one for any other value. */
export function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns a list as it is, and an empty one for any other value. */
export function toJsonList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a text as it is, and an empty one for any other value. */
export function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Parses JSON text; undefined for any other text. Limits neither size nor depth: see `isDeeperThan`. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Parses the JSON text of an object; undefined for any other text. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Parses JSON text, and returns any other text as it is. */
export function parseJsonOrText(text: string): Json {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
