import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { Json, JsonSchema } from "@weft/schema";
import { toCheckableSchema } from "./checkable-schema.ts";

/**
 * How a value does not fit a schema, in at most five sentences that a model can act on; none when it fits. `whole`
 * names the value itself. Undefined: the schema cannot be applied, for example because of an unresolvable `$ref`.
 */
export function schemaProblems(value: Json, schema: JsonSchema, whole: string): string[] | undefined {
  let errors: OutputUnit[];
  try {
    errors = new Validator(toCheckableSchema(schema) as Schema, "2020-12", false).validate(value).errors;
  } catch {
    return undefined;
  }
  const leaves = errors.filter((unit) => !containerKeywords.has(unit.keyword) || errors.length === 1);
  return leaves.slice(0, 5).map((unit) => describe(unit, whole));
}

/** Keywords that only say that something inside them does not fit. */
const containerKeywords = new Set(["properties", "items", "$ref", "additionalProperties"]);

function describe({ instanceLocation, keyword, error }: OutputUnit, whole: string): string {
  const place = instanceLocation.replace(/^#\/?/, "") || whole;
  return keyword === "false" ? `${place}: No such parameter exists; leave it out.` : `${place}: ${error}`;
}
