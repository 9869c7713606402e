import type { Sandbox, SandboxResult } from "@weft/engine/ports/sandbox";
import type { ToolContext } from "@weft/engine/ports/tool";
import {
  isDeeperThan,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  maxJsonDepth,
  toJsonObject,
} from "@weft/schema";
import { z } from "zod";
import { cutText } from "../calls/call-http.ts";
import { objectSchema, toArgumentName } from "../calls/parameter-schema.ts";
import { convertSchema } from "../openapi/convert-schema.ts";
import { invalidTool } from "../tool-name.ts";

/** Limits of one call of a custom tool. */
export type CustomToolLimits = { timeoutMs: number; maxCharacters: number };

/** Outcome of one call: for the model, and for the author. */
export type CustomToolOutcome = { content: string; isError: boolean; logs: string[]; durationMs: number };

export type CustomTool = {
  readonly parameters: JsonSchema;
  /** `args` must match `parameters`. Rejects with the signal's reason. */
  call(args: JsonObject, context: ToolContext, limits: CustomToolLimits): Promise<CustomToolOutcome>;
};

/**
 * A stored tool that can be called. Its code runs in the sandbox and sees each parameter as `$name` (null if omitted),
 * `$vars`, `$flow` and a `fetch` that goes through the platform's client. A result other than text reaches the model as
 * JSON. Throws `tool-invalid` if its schema is invalid.
 */
export function createCustomTool({ name, schema, func }: StoredTool): CustomTool {
  const parameters = readParameters(name, schema);
  const code = func?.trim() ? func : undefined;
  return {
    parameters: parameters.schema,
    async call(args, context, { timeoutMs, maxCharacters }) {
      const started = performance.now();
      if (code === undefined) {
        return { content: `${name} has no code yet. ${howToMend}`, isError: true, logs: [], durationMs: 0 };
      }
      const globals = toGlobals(parameters, args, context);
      const { http, sandbox, sql, signal } = context;
      const result = await sandbox.run({ code, globals, http, timeoutMs, signal, ...(sql && { sql }) });
      const content = result.ok
        ? toText(result.value)
        : await describeError(result.error, { name, code, sandbox, signal });
      const durationMs = Math.round(performance.now() - started);
      return { content: cutText(content, maxCharacters), isError: !result.ok, logs: result.logs, durationMs };
    },
  };
}

const howToMend = "Its author has to write the body of a JavaScript function, for example: return $a + $b;";

function toGlobals({ properties }: ToolParameters, args: JsonObject, { vars, flow }: ToolContext): JsonObject {
  const names = new Map(properties.map(({ argument, property }) => [argument, property]));
  const values = Object.entries(args).map(([argument, value]) => [`$${names.get(argument) ?? argument}`, value]);
  const absent = properties.map(({ property }) => [`$${property}`, null]);
  return { ...Object.fromEntries([...absent, ...values]), $vars: vars, $flow: flow };
}

function toText(value: Json): string {
  if (value === null) return "The tool is done and returned nothing.";
  return typeof value === "string" ? value : JSON.stringify(value);
}

type Failed = Extract<SandboxResult, { ok: false }>["error"];
type FailedCall = { name: string; code: string; sandbox: Sandbox; signal: AbortSignal };

async function describeError(error: Failed, call: FailedCall): Promise<string> {
  if (error.name === "SyntaxError" && !(await isFunctionBody(call))) {
    return `${call.name} describes what it does instead of doing it (${error.message}). ${howToMend}`;
  }
  return `${call.name} failed: ${error.name}: ${error.message}`;
}

/** Running code may itself raise a SyntaxError, for example by JSON.parse. */
async function isFunctionBody({ code, sandbox, signal }: FailedCall): Promise<boolean> {
  const check = "new (async () => {}).constructor($code);";
  return (await sandbox.run({ code: check, globals: { $code: code }, signal })).ok;
}

/** Parameters of a custom tool: the schema for the model, and the property that each argument is in the code. */
type ToolParameters = { schema: JsonSchema; properties: readonly { argument: string; property: string }[] };

/** Maximum schemas expanded for the model, and entries of a list. */
const maxSchemas = 1_000;

const types: Readonly<Record<string, JsonSchema>> = {
  string: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "string" },
  object: { type: "object" },
  array: { type: "array", items: {} },
};

const entrySchema = z.object({
  property: z.string().trim().min(1, "must not be empty"),
  type: z
    .string()
    .default("string")
    .transform((type) => type.toLowerCase())
    .refine((type) => Object.hasOwn(types, type), `must be one of ${Object.keys(types).join(", ")}`),
  description: z.string().nullish(),
  required: z.boolean().nullish(),
});

/** Names already defined for the code. */
const reserved = new Set(["vars", "flow"]);

/** Parses a stored schema in either form. Throws `tool-invalid` with the correction needed. */
function readParameters(tool: string, schema: string | null): ToolParameters {
  const parsed = parse(tool, schema);
  const parameters = Array.isArray(parsed) ? readList(tool, parsed) : readJsonSchema(tool, parsed);
  const hidden = parameters.properties.find(({ property }) => reserved.has(property))?.property;
  if (hidden === undefined) return parameters;
  throw invalidTool(tool, `its parameter ${hidden} would hide the built-in $${hidden}. Rename it.`);
}

function parse(tool: string, schema: string | null): Json[] | JsonObject {
  if (schema === null || schema.trim() === "") return [];
  let value: Json;
  try {
    value = JSON.parse(schema);
  } catch (error) {
    throw invalidTool(tool, `its schema is not valid JSON: ${(error as Error).message}.`);
  }
  if (value === null || typeof value !== "object") throw invalidTool(tool, `its schema must be ${forms}.`);
  if (!isDeeperThan(value, maxJsonDepth)) return value;
  throw invalidTool(tool, `its schema is nested more than ${maxJsonDepth} levels deep. Flatten it.`);
}

const forms = "a JSON Schema of an object, or a list of { property, type, description, required }";

function readList(tool: string, list: readonly Json[]): ToolParameters {
  if (list.length > maxSchemas) throw invalidTool(tool, `its schema has more than ${maxSchemas} entries.`);
  const taken = new Set<string>();
  const parameters = list.map((item, index) => {
    const entry = entrySchema.safeParse(item);
    if (!entry.success) throw invalidTool(tool, describeIssue(index, entry.error));
    const { property, type, description, required } = entry.data;
    const hint = [description?.trim(), type === "date" && "An ISO 8601 date or date-time."].filter(Boolean).join(" ");
    const schema = { ...types[type], ...(hint !== "" && { description: hint }) };
    return { argument: toArgumentName(property, taken), property, required: required === true, schema };
  });
  const twice = parameters.find(({ property }, index) => parameters.findIndex((p) => p.property === property) < index);
  if (twice) throw invalidTool(tool, `its schema has two entries for ${twice.property}. Remove one.`);
  return { schema: { ...objectSchema(parameters), additionalProperties: false }, properties: parameters };
}

function describeIssue(index: number, error: z.ZodError): string {
  const issue = error.issues[0];
  const where = ["schema", index, ...(issue?.path ?? [])].join(".");
  return `its schema is invalid at ${where}: ${issue?.message ?? "invalid"}.`;
}

function readJsonSchema(tool: string, given: JsonObject): ToolParameters {
  if (Object.keys(given).length === 0) return readList(tool, []);
  const unresolved: string[] = [];
  const schema = convertSchema(given, { root: given, version: "3.1", budget: { left: maxSchemas }, unresolved });
  if (unresolved.length > 0)
    throw invalidTool(tool, `its schema refers to ${unresolved[0]}, which it does not define.`);
  const { properties } = schema;
  if ((schema.type ?? "object") !== "object" || (schema.type === undefined && !isJsonObject(properties))) {
    throw invalidTool(tool, `its schema must be ${forms}.`);
  }
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return {
    schema: { ...schema, type: "object", properties: toJsonObject(properties) },
    properties: names.map((name) => ({ argument: name, property: name })),
  };
}

/** A tool as its author stored it. */
export type StoredTool = {
  name: string;
  description: string;
  /** JSON text: a JSON Schema of an object, or a list of `{ property, type, description, required }`. */
  schema: string | null;
  /** Body of an async JavaScript function; anything else is a description of one. */
  func: string | null;
};

/** Where stored tools are found. */
export type StoredTools = {
  /** Resolves with undefined for an unknown id. */
  find(id: string): Promise<StoredTool | undefined>;
  /** At most `count`, most recently updated first. */
  newestIds(count: number): Promise<string[]>;
};
