import type { Json, JsonObject } from "@weft/schema";
import { asObject } from "../fields/update-value.ts";
import { jsonSchemaFormat, objectSchema } from "./json-schema-format.ts";
import { newProperty, type PropertyType, type SchemaFormat, type SchemaProperty } from "./schema-property.ts";

/** The fields of a structured answer: a list of `{ name, type, description, required, enumValues, items, schema }`. */
export const fieldListFormat: SchemaFormat = {
  types: ["string", "number", "boolean", "enum", "array", "object"],
  hasPlaces: false,
  nests: true,
  read(value) {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return undefined;
    const rows = value.map((row) => readRow(asObject(row)));
    return rows.every((row) => row !== undefined) ? rows : undefined;
  },
  write: (properties) => properties.map(writeRow),
};

function readRow(row: JsonObject): SchemaProperty | undefined {
  const { name = "", type = "string", description = "", required = true, enumValues = [], items = "string" } = row;
  const properties = jsonSchemaFormat.read(parsed(row.schema));
  if (properties === undefined) return undefined;
  return {
    ...newProperty,
    name: String(name),
    type: type as PropertyType,
    description: String(description),
    required: required !== false,
    choices: Array.isArray(enumValues) ? enumValues.map(String) : [],
    itemType: items as PropertyType,
    properties,
  };
}

/** Invalid JSON stays unchanged; no format reads it. */
function parsed(schema: Json | undefined): Json | undefined {
  if (typeof schema !== "string" || schema.trim() === "") return schema === undefined ? undefined : schema || "";
  try {
    return JSON.parse(schema) as Json;
  } catch {
    return schema;
  }
}

function writeRow(property: SchemaProperty): JsonObject {
  const { name, type, description, required, choices, itemType, properties } = property;
  const hasObject = type === "object" || (type === "array" && itemType === "object");
  return {
    name,
    type,
    description,
    required,
    ...(type === "enum" ? { enumValues: [...choices] } : {}),
    ...(type === "array" ? { items: itemType } : {}),
    ...(hasObject && properties.length > 0 ? { schema: objectSchema(properties) } : {}),
  };
}
