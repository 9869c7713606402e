import type { AnswerSchema } from "@weft/engine/agent";
import {
  type Json,
  type JsonObject,
  type JsonSchema,
  jsonObjectSchema,
  parseJsonObject,
  toJsonObject,
} from "@weft/schema";
import { z } from "zod";

const fieldTypes = ["string", "number", "boolean", "enum", "array", "object"] as const;

const schemaText = z
  .string()
  .max(100_000)
  .refine((text) => text.trim() === "" || parseJsonObject(text) !== undefined, "is not a JSON Schema as JSON text");

const schemaSetting = z.union([schemaText, jsonObjectSchema]);

const field = z.strictObject({
  name: z.string().min(1).max(200).meta({ title: "Name" }),
  type: z.enum(fieldTypes).default("string").meta({ title: "Type" }),
  description: z
    .string()
    .max(4_000)
    .default("")
    .meta({ title: "Description", help: "Tells the model what the value means." }),
  required: z.boolean().default(true).meta({ title: "Required" }),
  enumValues: z.array(z.string().max(500)).max(500).default([]).meta({ title: "Values", help: "For an enum." }),
  items: z
    .enum(["string", "number", "boolean", "object"])
    .default("string")
    .meta({ title: "Items", help: "For an array: type of its items." }),
  schema: schemaSetting.default("").meta({
    title: "JSON Schema",
    help: "For an object, or an array of objects. If empty, any object is accepted.",
    widget: "json",
  }),
});
type Field = z.infer<typeof field>;

/** The required form of a model's answer: fields, a JSON Schema, or the text of one. Absent or empty: free text. */
export const structuredOutput = z
  .union([z.array(field).max(200), schemaSetting])
  .optional()
  .meta({
    title: "Structured output",
    help: "Returns the answer as data. Later steps read a field as {{ node.output.field }}.",
    widget: "structured-output",
    provides: "output",
    section: "output",
  });

export function toAnswerSchema(setting: z.infer<typeof structuredOutput>): AnswerSchema | undefined {
  if (setting === undefined) return undefined;
  if (!Array.isArray(setting)) {
    const schema = toSchema(setting);
    return schema && { name: "answer", schema };
  }
  if (setting.length === 0) return undefined;
  const properties = Object.fromEntries(setting.map((row) => [row.name, toProperty(row)]));
  const required = setting.filter((row) => row.required).map((row) => row.name);
  return { name: "answer", schema: { type: "object", properties, required, additionalProperties: false } };
}

/** An answer as a node's output: its fields beside the facts about it, and all of it as `json`. */
export function withAnswerFields(facts: JsonObject, json: Json): JsonObject {
  return { ...facts, ...toJsonObject(json), json };
}

function toProperty({ description, ...row }: Field): JsonSchema {
  return { ...typeOf(row), ...(description === "" ? {} : { description }) };
}

function typeOf(row: Omit<Field, "description">): JsonSchema {
  switch (row.type) {
    case "enum":
      return { type: "string", ...(row.enumValues.length === 0 ? {} : { enum: [...new Set(row.enumValues)] }) };
    case "array":
      return { type: "array", items: row.items === "object" ? objectOf(row.schema) : { type: row.items } };
    case "object":
      return objectOf(row.schema);
    default:
      return { type: row.type };
  }
}

function objectOf(schema: Field["schema"]): JsonSchema {
  return toSchema(schema) ?? { type: "object" };
}

function toSchema(setting: string | JsonObject): JsonSchema | undefined {
  const schema = typeof setting === "string" ? parseJsonObject(setting) : setting;
  return schema !== undefined && Object.keys(schema).length > 0 ? schema : undefined;
}
