import type { Json, JsonObject } from "@weft/schema";
import { asObject } from "../fields/update-value.ts";
import { isSameJson } from "./same-json.ts";
import { newProperty, type PropertyType, type SchemaFormat, type SchemaProperty } from "./schema-property.ts";

/** A JSON Schema of an object. */
export const jsonSchemaFormat: SchemaFormat = {
  types: ["string", "number", "integer", "boolean", "enum", "array", "object"],
  hasPlaces: false,
  nests: true,
  read(value) {
    if (value === undefined || value === "") return [];
    const schema = asObject(value);
    if (Object.keys(schema).length === 0) return typeof value === "object" && !Array.isArray(value) ? [] : undefined;
    const properties = readProperties(schema);
    if (properties === undefined) return undefined;
    const { additionalProperties, ...rest } = schema;
    if (additionalProperties !== undefined && additionalProperties !== false) return undefined;
    return isSameJson(withRequired(rest), withRequired(objectSchema(properties))) ? properties : undefined;
  },
  write: (properties) => ({ ...objectSchema(properties), additionalProperties: false }),
};

/** An empty `required` list means the same as none. */
function withRequired(schema: JsonObject): JsonObject {
  const { required = [], ...rest } = schema;
  return { ...rest, required: Array.isArray(required) ? [...required].sort() : required };
}

/** A JSON Schema of an object with these properties. */
export function objectSchema(properties: readonly SchemaProperty[]): JsonObject {
  const named = properties.filter(({ name }) => name !== "");
  return {
    type: "object",
    properties: Object.fromEntries(named.map((property) => [property.name, propertySchema(property)])),
    required: named.filter(({ required }) => required).map(({ name }) => name),
  };
}

export function propertySchema(property: SchemaProperty): JsonObject {
  const { description } = property;
  return { ...shapeOf(property, property.type), ...(description === "" ? {} : { description }) };
}

function shapeOf(property: SchemaProperty, type: PropertyType): JsonObject {
  switch (type) {
    case "enum":
      return { type: "string", enum: [...property.choices] };
    case "array":
      return { type: "array", items: shapeOf(property, property.itemType === "array" ? "string" : property.itemType) };
    case "object":
      return property.properties.length === 0 ? { type: "object" } : objectSchema(property.properties);
    default:
      return { type };
  }
}

/** Undefined when a property is none that rows show. */
function readProperties({ properties, required }: JsonObject): SchemaProperty[] | undefined {
  const names = Array.isArray(required) ? required : [];
  const read = Object.entries(asObject(properties)).map(([name, schema]) => {
    const property = readProperty(asObject(schema));
    return property && { ...property, name, required: names.includes(name) };
  });
  return read.every((property) => property !== undefined) ? read : undefined;
}

export function readProperty(schema: JsonObject): SchemaProperty | undefined {
  const description = typeof schema.description === "string" ? schema.description : "";
  if (Array.isArray(schema.enum)) {
    const choices = schema.enum.filter((choice) => typeof choice === "string");
    return { ...newProperty, description, type: "enum", choices };
  }
  if (!isPropertyType(schema.type)) return undefined;
  const inner = readProperties(schema.type === "array" ? asObject(schema.items) : schema);
  if (inner === undefined) return undefined;
  const property = { ...newProperty, description, type: schema.type, properties: inner };
  if (schema.type !== "array") return property;
  const item = readProperty(asObject(schema.items));
  return item && { ...property, itemType: item.type, choices: item.choices };
}

function isPropertyType(type: Json | undefined): type is PropertyType {
  return typeof type === "string" && jsonSchemaFormat.types.some((known) => known === type);
}
