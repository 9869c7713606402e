import { z } from "zod";

/** A JSON value (RFC 8259). */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** A value that `JSON.stringify` writes as JSON. It leaves out members that are undefined. */
export type Jsonifiable =
  | string
  | number
  | boolean
  | null
  | readonly Jsonifiable[]
  | { readonly [key: string]: Jsonifiable | undefined };

/** Returns the value itself, typed as the JSON that `JSON.stringify` makes of it. */
export function asJson(value: Jsonifiable): Json {
  return value as Json;
}

/** A JSON Schema document (draft 2020-12, also what OpenAPI 3.1 embeds). */
export type JsonSchema = JsonObject;

export const jsonSchema: z.ZodType<Json> = z
  .lazy(() =>
    z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(jsonSchema), z.record(z.string(), jsonSchema)]),
  )
  .meta({ id: "Json", description: "Any JSON value" });
// What came out of a JSON parser need not be walked by the union, which takes a hundred times as long.
const walk = jsonSchema._zod.run;
jsonSchema._zod.run = (payload, context) => (isJson(payload.value) ? payload : walk(payload, context));

export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonSchema) as z.ZodType<JsonObject>;

function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) {
    return value === null || typeof value === "string" || typeof value === "boolean";
  }
  if (Array.isArray(value)) return value.every(isJson);
  const prototype = Object.getPrototypeOf(value) as unknown;
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}

/**
 * Deepest nesting of JSON from outside that is worked on. Below it every parser, validator and serializer is safe to
 * recurse; what is deeper is refused or kept as text.
 */
export const maxJsonDepth = 200;

/** Whether arrays and objects are nested in each other more than `levels` deep. Looks no deeper than that, and not at bytes. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
  if (levels === 0) return true;
  const items = Array.isArray(value) ? value : Object.values(value);
  return items.some((item) => isDeeperThan(item, levels - 1));
}

/**
 * Whether a value that came from JSON, or stands among the fields of a form, is an object: neither null, a list nor bytes,
 * which would be walked one by one. Its members are not looked at.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** Whether two values say the same, in whatever order their keys stand. */
export function isSameJson(one: Json, other: Json): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((entry, index) => isSameJson(entry, other[index] ?? null));
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key] ?? null, other[key] ?? null));
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

/** Milliseconds since the epoch as ISO 8601 text in UTC with milliseconds: it sorts as text. */
export function toMoment(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Now, or a millisecond after `previous` where that is later: dates of one thing only ever move forward. */
export function momentAfter(previous: string, nowMs: number): string {
  return toMoment(Math.max(nowMs, Date.parse(previous) + 1));
}
