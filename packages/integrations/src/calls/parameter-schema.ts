import { type Json, type JsonObject, type JsonSchema, jsonSchema } from "@weft/schema";
import { z } from "zod";
import { invalidTool } from "../tool-name.ts";

/** Types that an entry of a schema setting may have. */
const parameterTypes = ["string", "number", "integer", "boolean", "object", "array"] as const;

/** One entry of a request-parameter or body schema. Source: reference, "Builder integrations". */
export const parameterEntrySchema = z.object({
  type: z.enum(parameterTypes).default("string"),
  in: z.enum(["path", "query", "body"]).optional(),
  required: z.boolean().optional(),
  description: z.string().max(2_000).optional(),
  enum: z.array(jsonSchema).min(1).optional(),
  /** JSON Schema of an array's items. */
  items: z.record(z.string(), jsonSchema).optional(),
  /** JSON Schemas of an object's properties. */
  properties: z.record(z.string(), jsonSchema).optional(),
});
type ParameterEntry = z.infer<typeof parameterEntrySchema>;

export type ParameterPlace = "path" | "query" | "body";

/** One argument of a request tool, and the place of its value. */
export type RequestParameter = {
  /** Name for the model. */
  argument: string;
  /** Name in the called API. */
  name: string;
  place: ParameterPlace;
  required: boolean;
  schema: JsonSchema;
};

/** Parameters of a request tool. `free`: no schema was given, so every argument goes to `place`. */
export type RequestParameters =
  | { type: "declared"; parameters: readonly RequestParameter[] }
  | { type: "free"; place: ParameterPlace };

export type ParameterSchemaOptions = {
  tool: string;
  method: string;
  url: string;
  /** The schema setting; absent if left empty. */
  schema: JsonObject | undefined;
  /** Place of an entry that names none and has no placeholder in the URL. */
  defaultPlace: "query" | "body";
};

/**
 * Reads a schema setting. Path parameters of a write are required unless marked `required: false`, so that a call
 * without an id never affects the whole collection. Throws `tool-invalid` for an invalid entry.
 */
export function readParameterSchema(options: ParameterSchemaOptions): RequestParameters {
  const { tool, method, url, schema, defaultPlace } = options;
  const entries = Object.entries(schema ?? {}).map(([name, value]) => [name, readEntry(tool, name, value)] as const);
  refuseUndeclaredPlaces(tool, url, new Set(entries.map(([name]) => name)));
  if (schema === undefined) return { type: "free", place: defaultPlace };
  const taken = new Set<string>();
  const parameters = entries.map(([name, entry]) => {
    const place = entry.in ?? (hasPlace(url, name) ? "path" : defaultPlace);
    if (place === "body" && method === "GET") {
      throw invalidTool(tool, `the parameter ${name} says "in": "body", but a GET has no body. Use query or path.`);
    }
    const required = entry.required ?? (place === "path" && method !== "GET");
    return { argument: toArgumentName(name, taken), name, place, required, schema: toJsonSchema(entry) };
  });
  return { type: "declared", parameters };
}

/** The JSON Schema for the model: flat, without the parameters in `fixed`. */
export function toModelSchema(parameters: RequestParameters): JsonSchema {
  if (parameters.type === "free") {
    const what = parameters.place === "body" ? "Keys and values of the JSON body." : "Query parameters by name.";
    return { type: "object", description: what, properties: {}, additionalProperties: true };
  }
  return objectSchema(parameters.parameters);
}

/** An object schema of arguments. The call itself rejects unknown arguments, with a message; the schema does not. */
export function objectSchema(
  parameters: readonly { argument: string; required: boolean; schema: JsonSchema }[],
): JsonSchema {
  const properties = Object.fromEntries(parameters.map(({ argument, schema }) => [argument, schema]));
  const required = parameters.filter((parameter) => parameter.required).map(({ argument }) => argument);
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

/** A property name that every model vendor accepts (`[A-Za-z0-9_.-]{1,64}`); adds it to `taken`. */
export function toArgumentName(name: string, taken: Set<string>, prefix = ""): string {
  const clean = (text: string) => text.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 64) || "value";
  let candidate = clean(name);
  if (taken.has(candidate) && prefix !== "") candidate = clean(`${prefix}_${name}`);
  const base = candidate;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${base.slice(0, 60)}_${number}`;
  taken.add(candidate);
  return candidate;
}

/** Whether the URL has `{name}` or `:name` after its host. */
export function hasPlace(url: string, name: string): boolean {
  return placePattern(name).test(behindHost(url));
}

/** Matches `{name}` and, as a whole word, `:name`. */
export function placePattern(name: string): RegExp {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // linear: a name is read character by character
  return new RegExp(`\\{${escaped}\\}|:${escaped}(?![A-Za-z0-9_])`, "g");
}

function behindHost(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
}

function refuseUndeclaredPlaces(tool: string, url: string, declared: ReadonlySet<string>): void {
  for (const [, name = ""] of behindHost(url).matchAll(/\{([A-Za-z_][\w.-]*)\}/g)) {
    if (declared.has(name)) continue;
    throw invalidTool(tool, `its URL has the placeholder {${name}}, but the schema has no entry ${name}. Add one.`);
  }
}

function readEntry(tool: string, name: string, value: Json): ParameterEntry {
  const parsed = parameterEntrySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = [name, ...(issue?.path ?? [])].join(".");
  throw invalidTool(tool, `its schema is invalid at ${where}: ${issue?.message ?? "invalid"}.`);
}

function toJsonSchema(entry: ParameterEntry): JsonSchema {
  return {
    type: entry.type,
    ...(entry.description ? { description: entry.description } : {}),
    ...(entry.enum ? { enum: entry.enum } : {}),
    ...(entry.type === "array" ? { items: entry.items ?? {} } : {}),
    ...(entry.type === "object" && entry.properties ? { properties: entry.properties } : {}),
  };
}
