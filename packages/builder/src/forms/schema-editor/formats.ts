import { isSameJson, type Json, type JsonObject, parseJsonOrText, textOrEmpty, toJsonObject } from "@weft/schema";

/** A JSON Schema of an object. */
export const jsonSchemaFormat: SchemaFormat = {
  types: ["string", "number", "integer", "boolean", "enum", "array", "object"],
  hasPlaces: false,
  nests: true,
  read(value) {
    if (value === undefined || value === "") return [];
    const schema = toJsonObject(value);
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

export function objectSchema(properties: readonly SchemaProperty[]): JsonObject {
  const named = properties.filter(({ name }) => name !== "");
  return {
    type: "object",
    properties: Object.fromEntries(named.map((property) => [property.name, propertySchema(property)])),
    required: named.filter(({ required }) => required).map(({ name }) => name),
  };
}

function propertySchema(property: SchemaProperty): JsonObject {
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

/** Undefined if rows cannot represent a property. */
function readProperties({ properties, required }: JsonObject): SchemaProperty[] | undefined {
  const names = Array.isArray(required) ? required : [];
  const read = Object.entries(toJsonObject(properties)).map(([name, schema]) => {
    const property = readProperty(toJsonObject(schema));
    return property && { ...property, name, required: names.includes(name) };
  });
  return read.every((property) => property !== undefined) ? read : undefined;
}

function readProperty(schema: JsonObject): SchemaProperty | undefined {
  const description = typeof schema.description === "string" ? schema.description : "";
  if (Array.isArray(schema.enum)) {
    const choices = schema.enum.filter((choice) => typeof choice === "string");
    return { ...newProperty, description, type: "enum", choices };
  }
  if (!isPropertyType(schema.type)) return undefined;
  const inner = readProperties(schema.type === "array" ? toJsonObject(schema.items) : schema);
  if (inner === undefined) return undefined;
  const property = { ...newProperty, description, type: schema.type, properties: inner };
  if (schema.type !== "array") return property;
  const item = readProperty(toJsonObject(schema.items));
  return item && { ...property, itemType: item.type, choices: item.choices };
}

function isPropertyType(type: Json | undefined): type is PropertyType {
  return typeof type === "string" && jsonSchemaFormat.types.some((known) => known === type);
}

const propertyTypes = ["string", "number", "integer", "boolean", "enum", "array", "object"] as const;
export type PropertyType = (typeof propertyTypes)[number];

/** The place of a parameter in the request. */
export type PropertyPlace = "path" | "query" | "body";

/** One property of an object that a model or a caller fills in, as the schema editor shows it. */
export type SchemaProperty = {
  name: string;
  type: PropertyType;
  description: string;
  required: boolean;
  /** Of an enum. */
  choices: readonly string[];
  /** Of an array: the type of its items. */
  itemType: PropertyType;
  /** Of an object, or an array of objects. Empty: any object. */
  properties: readonly SchemaProperty[];
  /** Of a request's parameter; undefined if it follows from the URL. */
  place?: PropertyPlace | undefined;
};

export const newProperty: SchemaProperty = {
  name: "",
  type: "string",
  description: "",
  required: true,
  choices: [],
  itemType: "string",
  properties: [],
};

/**
 * Converts a value to properties and back. `read` returns undefined for a value that rows cannot represent without
 * loss: it is then edited as JSON.
 */
export type SchemaFormat = {
  read(value: Json | undefined): SchemaProperty[] | undefined;
  write(properties: readonly SchemaProperty[]): Json;
  readonly types: readonly PropertyType[];
  readonly hasPlaces: boolean;
  /** The default place of a parameter with that name. */
  placeOf?(name: string): PropertyPlace;
  /** Whether objects can declare their properties. */
  readonly nests: boolean;
};

/** The fields of a structured answer: a list of `{ name, type, description, required, enumValues, items, schema }`. */
export const fieldListFormat: SchemaFormat = {
  types: ["string", "number", "boolean", "enum", "array", "object"],
  hasPlaces: false,
  nests: true,
  read(value) {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return undefined;
    const rows = value.map((row) => readRow(toJsonObject(row)));
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
  return parseJsonOrText(schema);
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

/** The parameters a model fills in for a request: `{ name: { type, in, required, description, … } }`. */
export const requestParametersFormat: SchemaFormat = {
  types: ["string", "number", "integer", "boolean", "enum", "array", "object"],
  hasPlaces: true,
  nests: false,
  read(value) {
    if (value === undefined || value === "") return [];
    const entries = Object.entries(toJsonObject(value));
    if (entries.length === 0) return typeof value === "object" && !Array.isArray(value) ? [] : undefined;
    const rows = entries.map(([name, entry]) => readEntry(name, toJsonObject(entry)));
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

const listTypes: readonly PropertyType[] = ["string", "number", "integer", "boolean", "object", "array"];

/** The parsed parameters of a stored tool: a list of `{ property, type, description, required }`, or a JSON Schema. */
export const toolParametersFormat: SchemaFormat = {
  types: jsonSchemaFormat.types,
  hasPlaces: false,
  nests: true,
  read(value) {
    if (!Array.isArray(value)) return jsonSchemaFormat.read(value);
    const rows = value.map((row) => readToolRow(row));
    return rows.every((row) => row !== undefined) ? rows : undefined;
  },
  /** Uses the list, which other clients of this API read too, if it can express everything. */
  write: (properties) =>
    properties.every(fitsList) ? properties.map(writeToolRow) : jsonSchemaFormat.write(properties),
};

function fitsList({ type, properties, itemType }: SchemaProperty): boolean {
  return listTypes.includes(type) && properties.length === 0 && (type !== "array" || itemType === "string");
}

function readToolRow(row: Json): SchemaProperty | undefined {
  const { property = "", type = "string", description, required, ...rest } = toJsonObject(row);
  const known = listTypes.find((one) => one === String(type).toLowerCase());
  if (known === undefined || !isSameJson(withoutNoise(rest), {})) return undefined;
  const texts = { name: String(property), description: textOrEmpty(description) };
  return { ...newProperty, ...texts, type: known, required: required === true };
}

/** Other clients number the rows of their tables. */
function withoutNoise({ id: _row, ...rest }: JsonObject): JsonObject {
  return rest;
}

function writeToolRow({ name, type, description, required }: SchemaProperty): JsonObject {
  return { property: name, type, description, required };
}
