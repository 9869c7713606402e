import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { isDeeperThan, type Json, type JsonObject, type JsonSchema, maxJsonDepth } from "@weft/schema";

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
  if (isDeeperThan(value, maxJsonDepth)) {
    return { ok: false, message: `The arguments are nested more than ${maxJsonDepth} levels deep. Flatten them.` };
  }
  const problems = findProblems(value, schema);
  if (problems.length === 0) return { ok: true, args: value };
  return {
    ok: false,
    message: `The arguments do not fit the tool's schema. ${problems.join(" ")} Correct them and call again.`,
  };
}

/** At most five sentences. A schema that cannot be applied (an unresolvable `$ref`, a broken pattern) is one, too. */
function findProblems(value: JsonObject, schema: JsonSchema): string[] {
  let errors: OutputUnit[];
  try {
    errors = new Validator(schema as Schema, "2020-12", false).validate(value).errors;
  } catch {
    return ["The schema itself is broken, so this tool cannot be called."];
  }
  const leaves = errors.filter((unit) => !containerKeywords.has(unit.keyword) || errors.length === 1);
  return leaves.slice(0, 5).map(describe);
}

/** Keywords that only say that something inside them does not fit. */
const containerKeywords = new Set(["properties", "items", "$ref", "additionalProperties"]);

function describe({ instanceLocation, keyword, error }: OutputUnit): string {
  const place = instanceLocation.replace(/^#\/?/, "") || "arguments";
  return keyword === "false" ? `${place}: No such parameter exists; leave it out.` : `${place}: ${error}`;
}
