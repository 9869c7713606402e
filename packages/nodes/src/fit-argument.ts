import type { Json, JsonSchema } from "@weft/schema";
import { parseData } from "./parse-data.ts";

/**
 * What a setting gives a parameter: data as it is, a text as the JSON it holds where the parameter takes no text.
 * Undefined for an empty text there: the parameter is left out.
 */
export function fitArgument(parameters: JsonSchema, name: string, value: Json): Json | undefined {
  if (typeof value !== "string" || takesText(parameters, name)) return value;
  return value.trim() === "" ? undefined : parseData(value);
}

function takesText({ properties }: JsonSchema, name: string): boolean {
  const type = isObject(properties) && isObject(properties[name]) ? properties[name].type : undefined;
  return type === undefined || [type].flat().includes("string");
}

function isObject(value: Json | undefined): value is Record<string, Json> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
