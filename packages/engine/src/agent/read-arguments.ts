import {
  isDeeperThan,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  maxJsonDepth,
  parseJsonObject,
} from "@weft/schema";
import { schemaProblems } from "./schema-problems.ts";

/** Arguments that fit, or what is wrong with them in words that a model can act on. */
type ReadArguments = { ok: true; args: JsonObject } | { ok: false; message: string };

/** The arguments of a call that is not made, as the answer shows them: under `arguments` when not a JSON object. */
export function showArguments(text: string): JsonObject {
  const value = text.trim() === "" ? {} : parseJsonObject(text);
  return value && !isDeeperThan(value, maxJsonDepth) ? value : { arguments: text };
}

/** Reads the JSON text that a model wrote and checks it against the tool's schema. Empty text means no arguments. */
export function readArguments(text: string, schema: JsonSchema): ReadArguments {
  let value: Json;
  try {
    value = text.trim() === "" ? {} : (JSON.parse(text) as Json);
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
