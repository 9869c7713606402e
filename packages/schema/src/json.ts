import { z } from "zod";

/** A JSON value (RFC 8259). */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** A value that `JSON.stringify` can write. It omits undefined members. */
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
// The output of a JSON parser need not be walked by the union, which takes a hundred times as long.
const walk = jsonSchema._zod.run;
jsonSchema._zod.run = (payload, context) => (isJson(payload.value) ? payload : walk(payload, context));

export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonSchema);

function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) {
    return value === null || typeof value === "string" || typeof value === "boolean";
  }
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}

/**
 * Deepest nesting accepted in external JSON. Up to it, every parser, validator and serializer may safely recurse;
 * deeper values are refused or kept as text.
 */
export const maxJsonDepth = 200;

/** Whether arrays and objects are nested more than `levels` deep. Looks no deeper, and not into bytes. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
  if (levels === 0) return true;
  const items = Array.isArray(value) ? value : Object.values(value);
  return items.some((item) => isDeeperThan(item, levels - 1));
}

/**
 * Whether a value parsed from JSON, or found in a form's fields, is an object: not null, a list or bytes, which would
 * be walked one by one. Does not check its members.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** Deep equality, ignoring key order. */
export function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((entry, index) => isSameJson(entry, other[index] ?? null));
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key] ?? null, other[key] ?? null));
}

/** Returns an object unchanged, and `{}` for any other value. */
export function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns a list unchanged, and `[]` for any other value. */
export function toJsonList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a text unchanged, and `""` for any other value. */
export function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Parses JSON text; undefined if invalid. Limits neither size nor depth: see `isDeeperThan`. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses the JSON text of an object; undefined for anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Parses the JSON text of a list of texts. Throws for anything else: for texts that this platform wrote. */
export function parseTextList(text: string): string[] {
  return textList.parse(JSON.parse(text));
}

const textList = z.array(z.string());

/** Parses JSON text; returns invalid text unchanged. */
export function parseJsonOrText(text: string): Json {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** Converts milliseconds since the epoch to ISO 8601 text in UTC with milliseconds, which sorts as text. */
export function toMoment(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Now, or a millisecond after `previous` if that is later: an item's dates only move forward. */
export function momentAfter(previous: string, nowMs: number): string {
  return toMoment(Math.max(nowMs, Date.parse(previous) + 1));
}
