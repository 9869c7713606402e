import type { Json, JsonObject, JsonSchema } from "@weft/schema";
import { toArgumentName } from "../parameter-schema.ts";
import { convertSchema, type SchemaSource } from "./convert-schema.ts";
import type { Operation } from "./list-operations.ts";
import { asObject, resolveReference } from "./resolve-reference.ts";

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

/** The operation's parameters; those of its path count too unless the operation has the same one. */
export function readParameters(operation: Operation, source: SchemaSource, taken: Set<string>): OperationParameter[] {
  const byPlace = new Map<string, JsonObject>();
  for (const value of [...asList(operation.pathItem.parameters), ...asList(operation.operation.parameters)]) {
    const resolved = resolveReference(source.root, value);
    if (resolved === undefined) source.unresolved.push(String(asObject(value).$ref));
    const parameter = asObject(resolved);
    if (isSent(parameter)) byPlace.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter);
  }
  for (const [, name = ""] of operation.path.matchAll(/\{([^{}]+)\}/g)) {
    if (!byPlace.has(`path ${name}`)) byPlace.set(`path ${name}`, { name, in: "path", schema: { type: "string" } });
  }
  return [...byPlace.values()].map((parameter) => toParameter(parameter, source, taken));
}

function isSent(parameter: JsonObject): boolean {
  if (typeof parameter.name !== "string" || parameter.name === "") return false;
  if (parameter.in === "header") return !ignoredHeaders.has(parameter.name.toLowerCase());
  return parameter.in === "path" || parameter.in === "query";
}

function toParameter(parameter: JsonObject, source: SchemaSource, taken: Set<string>): OperationParameter {
  const name = String(parameter.name);
  const place = parameter.in as OperationParameter["place"];
  const [content] = Object.values(asObject(parameter.content));
  const style = typeof parameter.style === "string" ? parameter.style : place === "query" ? "form" : "simple";
  const schema = convertSchema(parameter.schema ?? asObject(content).schema, source);
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

/** The parameter's own words, then what its schema adds. */
function describe(parameter: JsonObject, schema: JsonSchema): string {
  const own = String(parameter.description).trim();
  const added = typeof schema.description === "string" && schema.description !== own ? ` ${schema.description}` : "";
  return `${own}${added}`;
}

function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
