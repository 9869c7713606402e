import type { Json, JsonSchema } from "@weft/schema";
import { asObject } from "./resolve-reference.ts";

const combinators = ["allOf", "anyOf", "oneOf", "not"];

/** Makes one object schema of an `allOf` whose members are plain object schemas; other schemas stay as they are. */
export function mergeAllOf(schema: JsonSchema): JsonSchema {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf)) return schema;
  const members = allOf.map(asObject);
  if (members.length === 1) return { ...members[0], ...own };
  if (![...members, own].every(isPlain)) return schema;
  const all = [...members, own];
  const required = [...new Set(all.flatMap((member) => (Array.isArray(member.required) ? member.required : [])))];
  const merged: JsonSchema = Object.assign({}, ...all);
  const properties: Record<string, Json> = Object.assign({}, ...all.map((member) => asObject(member.properties)));
  return { ...merged, type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

function isPlain(schema: JsonSchema): boolean {
  const isObject = schema.type === undefined || schema.type === "object";
  return isObject && !combinators.some((key) => Object.hasOwn(schema, key));
}
