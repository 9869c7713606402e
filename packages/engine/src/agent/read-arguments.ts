import { type Schema, Validator } from "@cfworker/json-schema";
import type { Json, JsonObject, JsonSchema } from "@weft/schema";

/** Arguments that fit, or what is wrong with them in words that a model can act on. */
export type ReadArguments = { ok: true; args: JsonObject } | { ok: false; message: string };

/** Reads the JSON text that a model wrote and checks it against the tool's schema. Empty text means no arguments. */
export function readArguments(text: string, schema: JsonSchema): ReadArguments {
  let value: Json;
  try {
    value = text.trim() === "" ? {} : (JSON.parse(text) as Json);
  } catch (error) {
    return { ok: false, message: `The arguments are not valid JSON: ${(error as Error).message}. Send a JSON object.` };
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return { ok: false, message: "The arguments must be a JSON object." };
  }
  const result = new Validator(schema as Schema, "2020-12", false).validate(value);
  if (result.valid) return { ok: true, args: value };
  const problems = result.errors
    .filter(
      (unit) =>
        !["properties", "items", "$ref", "additionalProperties"].includes(unit.keyword) || result.errors.length === 1,
    )
    .slice(0, 5)
    .map((unit) => `${unit.instanceLocation.replace(/^#\/?/, "") || "arguments"}: ${unit.error}`);
  return {
    ok: false,
    message: `The arguments do not fit the tool's schema. ${problems.join(" ")} Correct them and call again.`,
  };
}
