import type { z } from "zod";
import { isJsonObject, type Json, type JsonObject, jsonObjectSchema } from "./json.ts";

type Scalar = string | number | boolean;

/** Deepest nesting of `$and`, `$or` and `$not`. */
const maxDepth = 8;
const maxConditions = 100;
/** Of `$in` and `$nin`. */
const maxListed = 1_000;
const maxTextLength = 2_000;
const maxNameLength = 200;

const comparisons = ["$eq", "$ne", "$in", "$nin", "$gt", "$gte", "$lt", "$lte", "$exists"] as const;
type Comparison = (typeof comparisons)[number];
const combinations = ["$and", "$or", "$not"] as const;

/** Every operator of a filter, for messages. */
export const filterOperators: readonly string[] = [...comparisons, ...combinations];

/** A filter in normal form: a condition on the metadata of a passage. */
export type FilterCondition =
  | { type: "all" | "any"; of: readonly FilterCondition[] }
  | { type: "not"; of: FilterCondition }
  /** The field has one of the values, or is a list that contains one. */
  | { type: "in"; name: string; values: readonly Scalar[] }
  | { type: "range"; name: string; operator: "$gt" | "$gte" | "$lt" | "$lte"; value: string | number }
  /** The field exists and is not null. */
  | { type: "exists"; name: string };

/** The location of a mistake, as keys from the filter's top, and the reason, a sentence that follows the location. */
export type FilterProblem = { path: string[]; reason: string };

export type FilterReading = { condition: FilterCondition } | { problem: FilterProblem };

/**
 * Parses `{ name: value }`, `{ name: { $op: value } }`, `{ $and: [ … ] }`, `{ $or: [ … ] }` and `{ $not: { … } }`; all
 * entries of an object must match. `templates`: allows a text with `{{ … }}` in place of the list of `$in` and `$nin`.
 * At most 8 levels, 100 comparisons, 1,000 listed values, texts of 2,000 and names of 200 characters.
 */
export function readFilter(filter: JsonObject, { templates = false } = {}): FilterReading {
  const reader = { templates, conditions: 0 };
  try {
    return { condition: readObject(filter, [], reader) };
  } catch (error) {
    if (error instanceof Misread) return { problem: error.problem };
    throw error;
  }
}

/** A valid filter. Templates stand for values that are not known yet. */
export const metadataFilterSchema: z.ZodType<JsonObject> = jsonObjectSchema.superRefine((filter, context) => {
  const read = readFilter(filter, { templates: true });
  if ("problem" in read) context.addIssue({ code: "custom", path: read.problem.path, message: read.problem.reason });
});

/** Whether metadata match a filter. Defines the meaning of filters for every store. */
export function meetsCondition(metadata: JsonObject, condition: FilterCondition): boolean {
  switch (condition.type) {
    case "all":
      return condition.of.every((each) => meetsCondition(metadata, each));
    case "any":
      return condition.of.some((each) => meetsCondition(metadata, each));
    case "not":
      return !meetsCondition(metadata, condition.of);
    case "in":
      return valuesOf(metadata, condition.name).some((value) => condition.values.some((wanted) => wanted === value));
    case "range":
      return valuesOf(metadata, condition.name).some((value) => isWithin(value, condition));
    case "exists":
      return Object.hasOwn(metadata, condition.name) && metadata[condition.name] !== null;
  }
}

/** The metadata fields whose values a filter compares, excluding those it only checks for existence. */
export function comparedNames(condition: FilterCondition): string[] {
  switch (condition.type) {
    case "all":
    case "any":
      return [...new Set(condition.of.flatMap(comparedNames))];
    case "not":
      return comparedNames(condition.of);
    case "exists":
      return [];
    default:
      return [condition.name];
  }
}

/** A value, or the members of a list. */
function valuesOf(metadata: JsonObject, name: string): readonly Json[] {
  if (!Object.hasOwn(metadata, name)) return [];
  const value = metadata[name] ?? null;
  return Array.isArray(value) ? value : [value];
}

/** Compares numbers with numbers, and texts with texts by UTF-16 units; nothing else is ordered. */
function isWithin(value: Json, { operator, value: limit }: FilterCondition & { type: "range" }): boolean {
  if (typeof value !== typeof limit || value === null) return false;
  if (operator === "$gt") return value > limit;
  if (operator === "$gte") return value >= limit;
  return operator === "$lt" ? value < limit : value <= limit;
}

class Misread extends Error {
  readonly problem: FilterProblem;
  constructor(path: string[], reason: string) {
    super(reason);
    this.problem = { path, reason };
  }
}

type Reader = { templates: boolean; conditions: number };

function readObject(filter: JsonObject, path: string[], reader: Reader): FilterCondition {
  const depth = path.filter((key) => combinations.some((known) => known === key)).length;
  if (depth > maxDepth) throw new Misread(path, `is nested more than ${maxDepth} levels deep.`);
  const of = Object.entries(filter).map(([name, value]) => readEntry(name, value, [...path, name], reader));
  return of.length === 1 && of[0] !== undefined ? of[0] : { type: "all", of };
}

function readEntry(name: string, value: Json, path: string[], reader: Reader): FilterCondition {
  if (name === "$and" || name === "$or") {
    if (!Array.isArray(value) || value.length === 0) {
      throw new Misread(path, `must be a list of at least one filter: { "${name}": [{ "topic": "money" }] }.`);
    }
    const of = value.map((each, index) => readNested(each, [...path, String(index)], reader));
    return { type: name === "$and" ? "all" : "any", of };
  }
  if (name === "$not") return { type: "not", of: readNested(value, path, reader) };
  if (name.startsWith("$")) throw unknownOperator(path, name);
  if (name.length > maxNameLength) throw new Misread(path, `has a name longer than ${maxNameLength} characters.`);
  if (!isJsonObject(value)) return readComparison("$eq", { name, value, path }, reader);
  const entries = Object.entries(value);
  if (entries.length === 0) throw new Misread(path, "compares with nothing. Name a value, or an operator and a value.");
  const of = entries.map(([operator, wanted]) => {
    const known = comparisons.find((comparison) => comparison === operator);
    if (known === undefined) throw unknownOperator([...path, operator], operator);
    return readComparison(known, { name, value: wanted, path: [...path, operator] }, reader);
  });
  return of.length === 1 && of[0] !== undefined ? of[0] : { type: "all", of };
}

/** A nested filter. An empty one would match everything, and is a mistake. */
function readNested(value: Json, path: string[], reader: Reader): FilterCondition {
  if (isJsonObject(value) && Object.keys(value).length > 0) return readObject(value, path, reader);
  throw new Misread(path, "must be a filter, an object of metadata and the values that they must have.");
}

type Compared = { name: string; value: Json; path: string[] };

function readComparison(operator: Comparison, { name, value, path }: Compared, reader: Reader): FilterCondition {
  reader.conditions += 1;
  if (reader.conditions > maxConditions) throw new Misread([], `has more than ${maxConditions} comparisons.`);
  switch (operator) {
    case "$eq":
      return { type: "in", name, values: [toScalar(value, path)] };
    case "$ne":
      return { type: "not", of: { type: "in", name, values: [toScalar(value, path)] } };
    case "$in":
      return { type: "in", name, values: toScalars(value, path, reader) };
    case "$nin":
      return { type: "not", of: { type: "in", name, values: toScalars(value, path, reader) } };
    case "$exists": {
      if (typeof value !== "boolean") throw new Misread(path, "must be true or false.");
      const condition: FilterCondition = { type: "exists", name };
      return value ? condition : { type: "not", of: condition };
    }
    default: {
      const limit = toScalar(value, path);
      if (typeof limit === "boolean") throw new Misread(path, "must be a text or a number.");
      return { type: "range", name, operator, value: limit };
    }
  }
}

function toScalar(value: Json, path: string[]): Scalar {
  if (typeof value === "string" && value.length > maxTextLength) {
    throw new Misread(path, `is longer than ${maxTextLength} characters.`);
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new Misread(path, 'must be a text, a number or true or false. For one of several values use { "$in": [ … ] }.');
}

function toScalars(value: Json, path: string[], { templates }: Reader): Scalar[] {
  if (templates && typeof value === "string" && value.includes("{{")) return [toScalar(value, path)];
  if (!Array.isArray(value)) throw new Misread(path, "must be a list of texts, numbers or true or false.");
  if (value.length > maxListed) throw new Misread(path, `has more than ${maxListed} values.`);
  return value.map((each, index) => toScalar(each, [...path, String(index)]));
}

function unknownOperator(path: string[], name: string): Misread {
  return new Misread(path, `is no operator (${name}). Known operators: ${filterOperators.join(", ")}.`);
}
