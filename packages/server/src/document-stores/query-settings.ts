import { isDeepStrictEqual } from "node:util";
import { type Json, type JsonObject, type VectorQuery, WeftError } from "@weft/schema";

export type QuerySettings = Pick<VectorQuery, "topK" | "mode" | "filter">;

/** What `inputs` may override, under the names of the query itself. */
const overridable = ["topK", "mode", "filter"] as const;
const mostTopK = 100;

/**
 * A query with what its `inputs` override. Existing clients send the settings of the vector database in them: what they
 * leave as it is stored counts for nothing. Throws `parameters-invalid` for any other override.
 */
export function readQuerySettings(
  { topK, mode, filter, inputs }: Partial<VectorQuery>,
  stored: JsonObject,
): QuerySettings {
  const over: JsonObject = {};
  for (const [name, value] of Object.entries(inputs ?? {})) {
    if (overridable.some((known) => known === name)) over[name] = value;
    else if (!isDeepStrictEqual(value, stored[name])) throw unknownInput(name);
  }
  const settings = {
    topK: topK ?? topKOf(over.topK),
    mode: mode ?? modeOf(over.mode),
    filter: filter ?? objectOf(over.filter),
  };
  assertFilter(settings.filter ?? {});
  return settings;
}

/** Throws `parameters-invalid` for a filter that no metadata can equal. */
function assertFilter(filter: JsonObject): void {
  for (const [name, value] of Object.entries(filter)) {
    if (name.startsWith("$")) {
      throw invalid(
        "filter",
        `filter has the operator ${name}, but takes no operators. Name metadata and the values that they must have: { "topic": "money" }.`,
      );
    }
    if (!["string", "number", "boolean"].includes(typeof value)) {
      throw invalid(
        `filter.${name}`,
        `filter.${name} must be a text, a number or true or false, which the metadata must equal. Operators and lists are not supported.`,
      );
    }
  }
}

function topKOf(value: Json | undefined): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const topK = Math.trunc(Number(value));
  if (topK >= 1) return Math.min(topK, mostTopK);
  throw invalid("inputs.topK", `inputs.topK must be a number from 1 to ${mostTopK}.`);
}

function modeOf(value: Json | undefined): QuerySettings["mode"] {
  if (value === undefined || value === null || value === "") return undefined;
  if (value === "vector" || value === "keyword" || value === "hybrid") return value;
  throw invalid("inputs.mode", "inputs.mode must be vector, keyword or hybrid.");
}

function objectOf(value: Json | undefined): JsonObject | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "object" && !Array.isArray(value)) return value;
  throw invalid("inputs.filter", "inputs.filter must be an object of metadata and their values.");
}

function unknownInput(name: string): WeftError {
  const known = overridable.join(", ");
  return invalid(
    `inputs.${name}`,
    `inputs.${name} cannot be overridden by a query. It can override ${known}; the rest belongs to the store's settings.`,
  );
}

function invalid(path: string, reason: string): WeftError {
  return new WeftError("parameters-invalid", { params: { reason }, errors: [{ path, message: reason }] });
}
