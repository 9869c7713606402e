import type { Json, JsonObject } from "@weft/schema";
import { asObject } from "../fields/update-value.ts";
import { jsonSchemaFormat } from "./json-schema-format.ts";
import { isSameJson } from "./same-json.ts";
import { newProperty, type PropertyType, type SchemaFormat, type SchemaProperty } from "./schema-property.ts";

const listTypes: readonly PropertyType[] = ["string", "number", "integer", "boolean", "object", "array"];

/** The parsed parameters of a stored tool: a list of `{ property, type, description, required }`, or a JSON Schema. */
export const toolParametersFormat: SchemaFormat = {
  types: jsonSchemaFormat.types,
  hasPlaces: false,
  nests: true,
  read(value) {
    if (!Array.isArray(value)) return jsonSchemaFormat.read(value);
    const rows = value.map((row) => readRow(row));
    return rows.every((row) => row !== undefined) ? rows : undefined;
  },
  /** The list that other clients of this API read as well, where it can say everything. */
  write: (properties) => (properties.every(fitsList) ? properties.map(writeRow) : jsonSchemaFormat.write(properties)),
};

function fitsList({ type, properties, itemType }: SchemaProperty): boolean {
  return listTypes.includes(type) && properties.length === 0 && (type !== "array" || itemType === "string");
}

function readRow(row: Json): SchemaProperty | undefined {
  const { property = "", type = "string", description, required, ...rest } = asObject(row);
  const known = listTypes.find((one) => one === String(type).toLowerCase());
  if (known === undefined || !isSameJson(withoutNoise(rest), {})) return undefined;
  const text = typeof description === "string" ? description : "";
  return { ...newProperty, name: String(property), type: known, description: text, required: required === true };
}

/** Other clients number the rows of their tables. */
function withoutNoise({ id: _row, ...rest }: JsonObject): JsonObject {
  return rest;
}

function writeRow({ name, type, description, required }: SchemaProperty): JsonObject {
  return { property: name, type, description, required };
}
