import type { Json } from "@weft/schema";

export const propertyTypes = ["string", "number", "integer", "boolean", "enum", "array", "object"] as const;
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
  /** Of an array: what its items are. */
  itemType: PropertyType;
  /** Of an object, or an array of objects. Empty: any object. */
  properties: readonly SchemaProperty[];
  /** Of a request's parameter; undefined where it follows from the address. */
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
  /** Whether objects can say what they consist of. */
  readonly nests: boolean;
};
