import type { Json, JsonSchema } from "@weft/schema";
import { unsent } from "../failure/model-failure.ts";

/**
 * Removes from a schema what OpenAI refuses: `propertyNames`, patterns with lookaround, and `allOf` of a single
 * reference, which becomes the reference, or at the root its target. The vendor then does not enforce the first two.
 * Throws `model-invalid-request` if property names must be anything but texts.
 */
export function toOpenAiSchema(schema: JsonSchema): JsonSchema {
  return convert(schema, true);
}

/** Keywords whose value is a schema, or a list of them. */
const schemaKeywords = new Set([
  ...["additionalProperties", "additionalItems", "items", "contains", "not", "allOf", "anyOf", "oneOf"],
  ...["if", "then", "else"],
]);
/** Keywords whose value is a record of schemas. */
const recordKeywords = new Set(["properties", "patternProperties", "definitions", "$defs", "dependencies"]);

function convert(schema: JsonSchema, isRoot: boolean): JsonSchema {
  const converted: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "propertyNames") checkPropertyNames(value);
    else if (keyword === "pattern" && typeof value === "string" && looksAround(value)) continue;
    else if (schemaKeywords.has(keyword)) converted[keyword] = convertAny(value);
    else if (recordKeywords.has(keyword) && isRecord(value)) converted[keyword] = convertValues(value);
    else converted[keyword] = value;
  }
  return withoutSingleReference(converted, isRoot);
}

function convertAny(value: Json): Json {
  if (Array.isArray(value)) return value.map(convertAny);
  return isRecord(value) ? convert(value, false) : value;
}

function convertValues(schemas: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, convertAny(value)]));
}

function checkPropertyNames(value: Json): void {
  const type = isRecord(value) ? (value.type ?? "string") : undefined;
  if (value !== null && type !== "string") {
    throw unsent("OpenAI takes no JSON Schema whose propertyNames is not a schema of strings");
  }
}

function looksAround(pattern: string): boolean {
  const groups = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]?/gs, "");
  return /\(\?<?[=!]/.test(groups);
}

function withoutSingleReference(schema: JsonSchema, isRoot: boolean): JsonSchema {
  const { allOf, ...rest } = schema;
  const [only, ...others] = Array.isArray(allOf) ? allOf : [];
  if (!isRecord(only) || others.length > 0) return schema;
  const { $ref: reference, ...constraints } = only;
  if (typeof reference !== "string" || Object.keys(constraints).length > 0) return schema;
  if (!isRoot) return { ...rest, $ref: reference };
  const referred = findDefinition(reference, schema);
  return referred === undefined ? schema : { ...referred, ...rest };
}

function findDefinition(reference: string, { definitions, $defs }: JsonSchema): JsonSchema | undefined {
  const [, keyword, encoded = ""] = /^#\/(definitions|\$defs)\/(.+)$/.exec(reference) ?? [];
  const name = encoded.replaceAll("~1", "/").replaceAll("~0", "~");
  const known = keyword === "definitions" ? definitions : $defs;
  const found = isRecord(known) && Object.hasOwn(known, name) ? known[name] : undefined;
  return isRecord(found) ? found : undefined;
}

function isRecord(value: Json | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
