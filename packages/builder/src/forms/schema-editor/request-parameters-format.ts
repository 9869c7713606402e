import type { Json, JsonObject } from "@weft/schema";
import { asObject } from "../fields/update-value.ts";
import { propertySchema, readProperty } from "./json-schema-format.ts";
import { isSameJson } from "./same-json.ts";
import type { PropertyPlace, SchemaFormat, SchemaProperty } from "./schema-property.ts";

/** The parameters a model fills in for a request: `{ name: { type, in, required, description, … } }`. */
export const requestParametersFormat: SchemaFormat = {
  types: ["string", "number", "integer", "boolean", "enum", "array", "object"],
  hasPlaces: true,
  nests: false,
  read(value) {
    if (value === undefined || value === "") return [];
    const entries = Object.entries(asObject(value));
    if (entries.length === 0) return typeof value === "object" && !Array.isArray(value) ? [] : undefined;
    const rows = entries.map(([name, entry]) => readEntry(name, asObject(entry)));
    return rows.every((row) => row !== undefined) ? rows : undefined;
  },
  write: (rows) => Object.fromEntries(rows.map((row) => [row.name, writeEntry(row)] as const)),
};

function readEntry(name: string, entry: JsonObject): SchemaProperty | undefined {
  const { in: place, required, ...schema } = entry;
  const property = readProperty({ type: "string", ...schema });
  if (property === undefined) return undefined;
  const row = { ...property, name, required: required === true, place: isPlace(place) ? place : undefined };
  const plain = { type: "string", ...schema };
  return isSameJson(withoutEmpty(propertySchema(row)), withoutEmpty(plain)) ? row : undefined;
}

function withoutEmpty({ items, ...schema }: JsonObject): JsonObject {
  return items === undefined || isSameJson(items, { type: "string" }) ? schema : { ...schema, items };
}

function isPlace(place: Json | undefined): place is PropertyPlace {
  return place === "path" || place === "query" || place === "body";
}

function writeEntry(row: SchemaProperty): JsonObject {
  const { type, description, ...rest } = propertySchema(row);
  return {
    type: type ?? "string",
    ...(row.place === undefined ? {} : { in: row.place }),
    required: row.required,
    ...(description === undefined ? {} : { description }),
    ...rest,
  };
}
