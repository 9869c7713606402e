import type { ModelTool } from "@weft/engine";
import type { JsonSchema } from "@weft/schema";
import { type Action, findAction, findKind, toWords } from "./words.ts";

const kinds = {
  id: /^(id|uuid|identifier)$/,
  date: /^(date|time|datetime|when|start|deadline|day)$/,
  place: /^(location|place|venue|city|address|where|town)$/,
  name: /^(name|title|subject|label)$/,
  query: /^(query|question|search|text|input|message|prompt|q)$/,
};

/** What a parameter is for: by its format, else the last telling word of its name, else the first of its description. */
export function propertyKind(name: string, schema: JsonSchema): keyof typeof kinds | "other" {
  if (Array.isArray(schema.enum)) return "other";
  if (String(schema.format).startsWith("date")) return "date";
  const description = schema.type === "string" ? toWords(String(schema.description ?? "")) : [];
  return findKind([...toWords(name).reverse(), ...description], kinds) ?? "other";
}

export function toolAction(tool: ModelTool): Action | undefined {
  return findAction(tool.name) ?? findAction(tool.description);
}

export function propertiesOf(tool: ModelTool): [string, JsonSchema][] {
  return Object.entries((tool.parameters.properties ?? {}) as Record<string, JsonSchema>);
}

export function requiredOf(tool: ModelTool): string[] {
  return Array.isArray(tool.parameters.required) ? tool.parameters.required.map(String) : [];
}

export function idPropertyOf(tool: ModelTool): string | undefined {
  return propertiesOf(tool).find(([name, schema]) => propertyKind(name, schema) === "id")?.[0];
}
