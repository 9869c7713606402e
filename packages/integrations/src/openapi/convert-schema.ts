import { type Json, type JsonObject, type JsonSchema, toJsonList, toJsonObject } from "@weft/schema";
import { readPointer, referenceOf } from "./resolve-reference.ts";

export type OpenApiVersion = "3.0" | "3.1";

/** State shared by the conversions of one operation. */
export type SchemaSource = {
  root: JsonObject;
  version: OpenApiVersion;
  /** Schemas that may still be expanded: bounds the text for the model. */
  budget: { left: number };
  /** Collects dangling references. */
  unresolved: string[];
};

/** Maximum expanded nesting. Deeper, and when recursive, a schema stands for any value of its type. */
const maxDepth = 12;

type Place = { depth: number; within: readonly string[] };

const copied = [
  ...["type", "enum", "const", "default", "title", "description", "minimum", "maximum", "multipleOf", "minLength"],
  ...["maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "required"],
];

/**
 * A schema of OpenAPI 3.0 or 3.1 as plain JSON Schema (draft 2020-12) without references, as every model vendor accepts
 * it. Translates `nullable` and boolean exclusive bounds, and omits read-only properties. `format` moves to the
 * description: models need the hint, while APIs differ in what they accept (a date-time without zone).
 */
export function convertSchema(schema: Json | undefined, source: SchemaSource): JsonSchema {
  return convert(schema, source, { depth: 0, within: [] });
}

function convert(schema: Json | undefined, source: SchemaSource, place: Place): JsonSchema {
  if (schema === false) return { not: {} };
  const given = toJsonObject(schema);
  source.budget.left -= 1;
  const reference = referenceOf(given);
  if (reference !== undefined) return convertReference(reference, given, source, place);
  if (source.budget.left < 0 || place.depth > maxDepth) return outline(given);
  const inner = { ...place, depth: place.depth + 1 };
  const converted: JsonObject = {};
  for (const key of copied) if (given[key] !== undefined) converted[key] = given[key];
  Object.assign(converted, exclusiveBounds(given), pattern(given), description(given), members(given, source, inner));
  return withNull(mergeAllOf(converted), source.version === "3.0" && given.nullable === true);
}

function convertReference(reference: string, given: JsonObject, source: SchemaSource, place: Place): JsonSchema {
  const target = readPointer(source.root, reference);
  if (target === undefined) {
    source.unresolved.push(reference);
    return {};
  }
  if (place.within.includes(reference)) return outline(toJsonObject(target));
  const resolved = convert(target, source, { depth: place.depth, within: [...place.within, reference] });
  const { $ref: _reference, ...siblings } = given;
  if (source.version === "3.0") return { ...resolved, ...description(siblings) };
  return Object.keys(siblings).length === 0 ? resolved : { ...resolved, ...convert(siblings, source, place) };
}

/** A schema that is not expanded further. */
function outline(schema: JsonObject): JsonSchema {
  return {
    ...(schema.type === undefined ? {} : { type: schema.type }),
    ...(schema.type === "array" ? { items: {} } : {}),
    ...description(schema),
  };
}

/** The schemas inside a schema. */
function members(given: JsonObject, source: SchemaSource, place: Place): JsonObject {
  const found: JsonObject = {};
  const types = Array.isArray(given.type) ? given.type : [given.type];
  if (given.items !== undefined || types.includes("array")) found.items = convert(given.items, source, place);
  for (const key of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
    const list = given[key];
    if (Array.isArray(list)) found[key] = list.map((member) => convert(member, source, place));
  }
  if (given.not !== undefined) found.not = convert(given.not, source, place);
  const extra = given.additionalProperties;
  if (extra !== undefined)
    found.additionalProperties = typeof extra === "boolean" ? extra : convert(extra, source, place);
  return given.properties === undefined ? found : { ...found, ...properties(given, source, place) };
}

/** Read-only properties belong only to responses (OpenAPI 3.0, "Schema Object"). */
function properties(given: JsonObject, source: SchemaSource, place: Place): JsonObject {
  const all = Object.entries(toJsonObject(given.properties));
  const written = all.filter(([, schema]) => toJsonObject(schema).readOnly !== true);
  const readOnly = new Set(all.filter(([, schema]) => toJsonObject(schema).readOnly === true).map(([name]) => name));
  const required = Array.isArray(given.required) ? given.required.filter((name) => !readOnly.has(String(name))) : [];
  return {
    properties: Object.fromEntries(written.map(([name, schema]) => [name, convert(schema, source, place)])),
    ...(required.length > 0 || given.required !== undefined ? { required } : {}),
  };
}

function exclusiveBounds(given: JsonObject): JsonObject {
  const bounds: JsonObject = {};
  for (const [exclusive, inclusive] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const limit = given[exclusive] === true ? given[inclusive] : given[exclusive];
    if (typeof limit === "number") bounds[exclusive] = limit;
  }
  return bounds;
}

/** Only patterns that are valid with the `u` flag, as the validator compiles them. */
function pattern(given: JsonObject): JsonObject {
  if (typeof given.pattern !== "string") return {};
  try {
    // linear: it is only compiled
    new RegExp(given.pattern, "u");
    return { pattern: given.pattern };
  } catch {
    return {};
  }
}

function description(given: JsonObject): JsonObject {
  const text = typeof given.description === "string" ? given.description.trim() : "";
  const format = typeof given.format === "string" && !/^(int32|int64|float|double)$/.test(given.format);
  const example = given.example ?? (Array.isArray(given.examples) ? given.examples[0] : undefined);
  const parts = [
    text,
    format ? `Format: ${String(given.format)}.` : "",
    example === undefined ? "" : `Example: ${JSON.stringify(example).slice(0, 200)}.`,
  ];
  const whole = parts.filter((part) => part !== "").join(" ");
  return whole === "" ? {} : { description: whole };
}

/** The schema, also allowing null. */
export function withNull(schema: JsonSchema, nullable = true): JsonSchema {
  if (!nullable) return schema;
  const { type, enum: values } = schema;
  if (type === undefined && values === undefined) {
    return Object.keys(schema).some((key) => key.endsWith("Of")) ? { anyOf: [schema, { type: "null" }] } : schema;
  }
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return {
    ...schema,
    ...(type === undefined || types.includes("null") ? {} : { type: [...types, "null"] }),
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}

const combinators = ["allOf", "anyOf", "oneOf", "not"];

/** Merges an `allOf` of plain object schemas into one; other schemas stay unchanged. */
function mergeAllOf(schema: JsonSchema): JsonSchema {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf)) return schema;
  const members = allOf.map(toJsonObject);
  if (members.length === 1) return { ...members[0], ...own };
  if (![...members, own].every(isPlain)) return schema;
  const all = [...members, own];
  const required = [...new Set(all.flatMap((member) => toJsonList(member.required)))];
  const merged: JsonSchema = Object.assign({}, ...all);
  const properties: Record<string, Json> = Object.assign({}, ...all.map((member) => toJsonObject(member.properties)));
  return { ...merged, type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

function isPlain(schema: JsonSchema): boolean {
  const isObject = schema.type === undefined || schema.type === "object";
  return isObject && !combinators.some((key) => Object.hasOwn(schema, key));
}
