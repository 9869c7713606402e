import { type Json, type JsonObject, type JsonSchema, toJsonList, toJsonObject } from "@weft/schema";
import { toArgumentName } from "../calls/parameter-schema.ts";
import type { Outcome } from "../tool-name.ts";
import { convertSchema, type OpenApiVersion, type SchemaSource } from "./convert-schema.ts";
import { describeOperation, type Operation } from "./list-operations.ts";
import { resolveReference } from "./resolve-reference.ts";

/** One property of a body that is a separate argument. */
type BodyField = { argument: string; name: string; required: boolean; schema: JsonSchema };

/** How arguments form a request body: one per property, or one for the whole. */
export type OperationBody = { mediaType: string; required: boolean } & (
  | { type: "fields"; fields: readonly BodyField[] }
  | { type: "whole"; argument: string; schema: JsonSchema }
);

/** Everything that a call of the operation needs, independent of the toolkit's settings. */
export type CompiledOperation = {
  method: string;
  path: string;
  description: string;
  parameters: readonly OperationParameter[];
  body: OperationBody | undefined;
};

/** Maximum schemas expanded in one tool: a model must read them all. */
const schemaBudget = 600;
/** Longest description that all model vendors accept. */
const maxDescription = 1_024;

/** Prepares an operation: the place of each argument and the model's view. Fails on a dangling reference. */
export function compileOperation(
  operation: Operation,
  document: { root: JsonObject; version: OpenApiVersion },
): Outcome<CompiledOperation> {
  const source: SchemaSource = { ...document, budget: { left: schemaBudget }, unresolved: [] };
  const taken = new Set<string>();
  const parameters = readParameters(operation, source, taken);
  const body = readBody(operation, source, taken);
  const [unresolved] = source.unresolved;
  if (unresolved !== undefined) {
    return {
      ok: false,
      message: `${describeOperation(operation)} refers to ${unresolved}, which is not in the file. Bundle the file, or leave the operation out.`,
    };
  }
  const { method, path } = operation;
  return { ok: true, value: { method, path, description: readDescription(operation), parameters, body } };
}

function readDescription(operation: Operation): string {
  const { summary, description } = operation.operation;
  const texts = [summary, description].filter((text) => typeof text === "string" && text.trim() !== "");
  const whole = [...new Set(texts.map((text) => String(text).trim()))].join("\n");
  return (whole || describeOperation(operation)).slice(0, maxDescription);
}

function readBody(operation: Operation, source: SchemaSource, taken: Set<string>): OperationBody | undefined {
  const given = operation.operation.requestBody;
  if (given === undefined) return undefined;
  const resolved = resolveReference(source.root, given);
  if (resolved === undefined) source.unresolved.push(String(toJsonObject(given).$ref));
  const requestBody = toJsonObject(resolved);
  const [mediaType, media] = pickMediaType(toJsonObject(requestBody.content));
  if (mediaType === undefined) return undefined;
  const schema = convertSchema(toJsonObject(media).schema, source);
  const shape = { mediaType, required: requestBody.required === true };
  const fields = toFields(schema, taken);
  if (fields) return { ...shape, type: "fields", fields };
  const argument = toArgumentName("body", taken, "request");
  return { ...shape, type: "whole", argument, schema: describeWhole(schema, requestBody.description, mediaType) };
}

const preferred = [
  /^application\/json\b/,
  /\+json\b/,
  /^application\/x-www-form-urlencoded\b/,
  /^multipart\/form-data\b/,
];

function pickMediaType(content: JsonObject): [string, Json] | [undefined, undefined] {
  const entries = Object.entries(content);
  for (const pattern of preferred) {
    const found = entries.find(([type]) => pattern.test(type.toLowerCase()));
    if (found) return found;
  }
  return entries.find(([type]) => type.toLowerCase().startsWith("text/")) ?? entries[0] ?? [undefined, undefined];
}

/** The body's properties as arguments; undefined if it is not a plain object or a name collides with a parameter. */
function toFields(schema: JsonSchema, taken: Set<string>): BodyField[] | undefined {
  const properties = Object.entries(toJsonObject(schema.properties));
  const isPlain = schema.type === "object" || schema.type === undefined;
  const isCombined = ["allOf", "anyOf", "oneOf"].some((key) => schema[key] !== undefined);
  if (!isPlain || isCombined || properties.length === 0 || toJsonObject(schema.additionalProperties).type)
    return undefined;
  if (properties.some(([name]) => taken.has(name))) return undefined;
  const required = new Set(toJsonList(schema.required));
  return properties.map(([name, property]) => ({
    argument: toArgumentName(name, taken),
    name,
    required: required.has(name),
    schema: toJsonObject(property),
  }));
}

function describeWhole(schema: JsonSchema, description: Json | undefined, mediaType: string): JsonSchema {
  const isText = !/json|form/.test(mediaType.toLowerCase());
  const typed: JsonSchema = isText && schema.type === undefined ? { type: "string", ...schema } : schema;
  if (typed.description !== undefined) return typed;
  return { ...typed, description: typeof description === "string" ? description : `The request body (${mediaType}).` };
}

/** A parameter in the path, the query or a header (OpenAPI, "Parameter Object"). Cookies are left out. */
export type OperationParameter = {
  argument: string;
  name: string;
  place: "path" | "query" | "header";
  required: boolean;
  schema: JsonSchema;
  style: string;
  explode: boolean;
  /** The value is sent as JSON text (`content: application/json`). */
  isJson: boolean;
};

/** "If `in` is header and the name is one of these, the parameter definition shall be ignored." */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

/** The operation's parameters, and those of its path that it does not override. */
function readParameters(operation: Operation, source: SchemaSource, taken: Set<string>): OperationParameter[] {
  const byPlace = new Map<string, SentParameter>();
  for (const value of [...toJsonList(operation.pathItem.parameters), ...toJsonList(operation.operation.parameters)]) {
    const resolved = resolveReference(source.root, value);
    if (resolved === undefined) source.unresolved.push(String(toJsonObject(value).$ref));
    const parameter = toJsonObject(resolved);
    const sent = toSent(parameter);
    if (sent) byPlace.set(`${sent.place} ${sent.name}`, { ...sent, parameter });
  }
  for (const [, name = ""] of operation.path.matchAll(/\{([^{}]+)\}/g)) {
    if (!byPlace.has(`path ${name}`))
      byPlace.set(`path ${name}`, { name, place: "path", parameter: { schema: { type: "string" } } });
  }
  return [...byPlace.values()].map((sent) => toParameter(sent, source, taken));
}

type SentParameter = { name: string; place: OperationParameter["place"]; parameter: JsonObject };

/** Undefined for a parameter that no call sends. */
function toSent({ name, in: place }: JsonObject): Omit<SentParameter, "parameter"> | undefined {
  if (typeof name !== "string" || name === "") return undefined;
  if (place === "header") return ignoredHeaders.has(name.toLowerCase()) ? undefined : { name, place };
  return place === "path" || place === "query" ? { name, place } : undefined;
}

function toParameter(
  { name, place, parameter }: SentParameter,
  source: SchemaSource,
  taken: Set<string>,
): OperationParameter {
  const [content] = Object.values(toJsonObject(parameter.content));
  const style = typeof parameter.style === "string" ? parameter.style : place === "query" ? "form" : "simple";
  const schema = convertSchema(parameter.schema ?? toJsonObject(content).schema, source);
  const described = typeof parameter.description === "string" ? { description: describe(parameter, schema) } : {};
  return {
    argument: toArgumentName(name, taken, place),
    name,
    place,
    required: place === "path" || parameter.required === true,
    schema: { ...(Object.keys(schema).length === 0 ? { type: "string" } : schema), ...described },
    style,
    explode: typeof parameter.explode === "boolean" ? parameter.explode : style === "form" || style === "deepObject",
    isJson: content !== undefined,
  };
}

/** The parameter's own description, then its schema's. */
function describe(parameter: JsonObject, schema: JsonSchema): string {
  const own = String(parameter.description).trim();
  const added = typeof schema.description === "string" && schema.description !== own ? ` ${schema.description}` : "";
  return `${own}${added}`;
}
