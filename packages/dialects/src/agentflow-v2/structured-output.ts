import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { type NodeScope, present } from "./node-converter.ts";
import type { Settings } from "./settings.ts";

/** The fields of a node's structured answer; nothing when it answers in words. All of them are required. */
export function toStructuredOutput({ settings, report }: NodeScope, key: string): JsonObject {
  const fields = settings
    .rows(key)
    .filter((row) => row.text("key") !== "")
    .map((row) => {
      const type = toType(row);
      if (type.schema === null) {
        report.warn(
          "output-schema-unreadable",
          `The JSON schema of its structured output ${row.text("key")} is not a JSON object, so any object is accepted. Correct it.`,
        );
      }
      const description = row.text("description") || undefined;
      return present({ name: row.text("key"), ...type, schema: type.schema ?? undefined, description });
    });
  return fields.length === 0 ? {} : { structuredOutput: fields };
}

type FieldType = { type: string; items?: string; enumValues?: string[]; schema?: JsonObject | null | undefined };

function toType(row: Settings): FieldType {
  switch (row.text("type")) {
    case "stringArray":
      return { type: "array", items: "string" };
    case "number":
      return { type: "number" };
    case "boolean":
      return { type: "boolean" };
    case "enum":
      return { type: "enum", enumValues: toEnumValues(row.text("enumValues")) };
    case "jsonArray":
      return { type: "array", items: "object", schema: toItemSchema(row) };
    default:
      return { type: "string" };
  }
}

function toEnumValues(text: string): string[] {
  const values = text.split(",").map((value) => value.trim());
  return [...new Set(values.filter((value) => value !== ""))];
}

/** Items are described by name, or by a whole JSON Schema. Null: the text is neither. */
function toItemSchema(row: Settings): JsonObject | null | undefined {
  const described = row.json("jsonSchema");
  if (described === undefined) return undefined;
  if (described === null || Array.isArray(described)) return null;
  if (described.type === "object" && isJsonObject(described.properties)) return described;
  const properties = Object.fromEntries(Object.entries(described).flatMap(toProperty));
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** `required: true` stands at the property there, and is no JSON Schema. */
function toProperty([name, value]: [string, Json]): [string, Json][] {
  if (!isJsonObject(value)) return [];
  const { required, ...schema } = value;
  return [[name, Array.isArray(required) ? value : schema]];
}
