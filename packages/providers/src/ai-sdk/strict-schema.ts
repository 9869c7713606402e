import type { Json, JsonSchema } from "@weft/schema";

/**
 * Whether a schema keeps the rules of OpenAI's strict structured outputs: every object lists all its properties as
 * required and closes itself. A schema that does not is sent without `strict`, else the vendor refuses the request.
 */
export function isStrictSchema(schema: JsonSchema): boolean {
  return isObjectSchema(schema) && isStrictEverywhere(schema);
}

function isStrictEverywhere(value: Json): boolean {
  if (Array.isArray(value)) return value.every(isStrictEverywhere);
  if (value === null || typeof value !== "object") return true;
  if (isObjectSchema(value) && !isClosed(value)) return false;
  return Object.values(value).every(isStrictEverywhere);
}

function isObjectSchema(schema: JsonSchema): boolean {
  return schema.type === "object" || (isRecord(schema.properties) && schema.type === undefined);
}

function isClosed(schema: JsonSchema): boolean {
  const properties = isRecord(schema.properties) ? Object.keys(schema.properties) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return schema.additionalProperties === false && properties.every((name) => required.includes(name));
}

function isRecord(value: Json | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
