import { type OutputUnit, Validator } from "@cfworker/json-schema";
import {
  isDeeperThan,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  maxJsonDepth,
  parseJsonObject,
} from "@weft/schema";

/** Valid arguments, or the problem in words that a model can act on. */
type ReadArguments = { ok: true; args: JsonObject } | { ok: false; message: string };

/**
 * The arguments of a call that was not made, as the answer shows them: under `arguments` if they are not a JSON object.
 */
export function showArguments(text: string): JsonObject {
  const value = text.trim() === "" ? {} : parseJsonObject(text);
  return value && !isDeeperThan(value, maxJsonDepth) ? value : { arguments: text };
}

/**
 * Parses the JSON text that a model wrote and validates it against the tool's schema. Empty text means no arguments.
 */
export function readArguments(text: string, schema: JsonSchema): ReadArguments {
  let value: Json;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `The arguments are not valid JSON: ${(error as Error).message}. Send a JSON object.` };
  }
  if (!isJsonObject(value)) {
    return { ok: false, message: "The arguments must be a JSON object." };
  }
  if (isDeeperThan(value, maxJsonDepth)) {
    return { ok: false, message: `The arguments are nested more than ${maxJsonDepth} levels deep. Flatten them.` };
  }
  const problems = schemaProblems(value, schema, "arguments");
  if (problems === undefined) {
    return { ok: false, message: "The schema itself is broken, so this tool cannot be called." };
  }
  if (problems.length === 0) return { ok: true, args: value };
  return {
    ok: false,
    message: `The arguments do not match the tool's schema. ${problems.join(" ")} Correct them and call again.`,
  };
}

/**
 * Describes how a value violates a schema, in at most five sentences that a model can act on; empty if it fits. `whole`
 * names the value itself. Undefined if the schema cannot be applied, for example because of an unresolvable `$ref`.
 */
export function schemaProblems(value: Json, schema: JsonSchema, whole: string): string[] | undefined {
  let errors: OutputUnit[];
  try {
    errors = new Validator(toCheckableSchema(schema), "2020-12", false).validate(value).errors;
  } catch {
    return undefined;
  }
  const leaves = errors.filter((unit) => !containerKeywords.has(unit.keyword) || errors.length === 1);
  return leaves.slice(0, 5).map((unit) => describe(unit, whole));
}

/** Keywords that only report that something inside them does not fit. */
const containerKeywords = new Set(["properties", "items", "$ref", "additionalProperties"]);

function describe({ instanceLocation, keyword, error }: OutputUnit, whole: string): string {
  const place = instanceLocation.replace(/^#\/?/, "") || whole;
  return keyword === "false" ? `${place}: No such parameter exists; leave it out.` : `${place}: ${error}`;
}

/**
 * The part of a schema that can be checked in time proportional to the value. Regular expressions and `uniqueItems` are
 * left out: a crafted value could block the process, and schemas come from untrusted authors.
 */
function toCheckableSchema(schema: JsonSchema): JsonSchema {
  const hasPatterns = Object.hasOwn(schema, "patternProperties");
  const kept = Object.entries(schema).filter(
    ([keyword]) => !unchecked.has(keyword) && !(hasPatterns && closing.has(keyword)),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, convert(keyword, value)]));
}

const unchecked = new Set(["pattern", "patternProperties", "uniqueItems"]);
/** Would reject the properties that `patternProperties` allows. */
const closing = new Set(["additionalProperties", "unevaluatedProperties"]);
const schemasByName = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
const plainValues = new Set(["enum", "const", "default", "examples", "example"]);

function convert(keyword: string, value: Json): Json {
  if (plainValues.has(keyword)) return value;
  if (!schemasByName.has(keyword) || !isJsonObject(value)) return convertSchemas(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, convertSchemas(schema)]));
}

function convertSchemas(value: Json): Json {
  if (Array.isArray(value)) return value.map(convertSchemas);
  return isJsonObject(value) ? toCheckableSchema(value) : value;
}
