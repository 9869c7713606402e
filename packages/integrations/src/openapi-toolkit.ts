import type { Tool, ToolContext, ToolResult } from "@weft/engine/ports/tool";
import { templated } from "@weft/engine/template";
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "@weft/schema";
import { z } from "zod";
import { type CallPolicy, callHttp, cutText } from "./calls/call-http.ts";
import { callFieldsTo, idempotentField, readHeaderSettings } from "./calls/call-settings.ts";
import { objectSchema } from "./calls/parameter-schema.ts";
import { defineIntegration } from "./define-integration.ts";
import {
  buildOperationCall,
  listArguments,
  type OperationCall,
  type OperationTarget,
} from "./openapi/build-operation-call.ts";
import { chooseServer, type ServerOptions } from "./openapi/choose-server.ts";
import { withNull } from "./openapi/convert-schema.ts";
import { describeOperation, isNamed, type Operation } from "./openapi/list-operations.ts";
import type { OpenApiDocument } from "./openapi/parse-document.ts";
import { readSource } from "./openapi/read-source.ts";
import { effectOfRequest, isReadMethod, toCallPolicy } from "./request-tool.ts";
import { reviewCode } from "./review-tool.ts";
import { invalidTool } from "./tool-name.ts";

/** Removes keys with null values, and objects that become empty by that, at every depth. */
function removeNulls(args: JsonObject): JsonObject {
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(args)) {
    if (value === null) continue;
    const cleaned = clean(value);
    if (!becameEmpty(value, cleaned)) kept.push([key, cleaned]);
  }
  return Object.fromEntries(kept);
}

function clean(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => (item === null ? item : clean(item)));
  return value !== null && typeof value === "object" ? removeNulls(value) : value;
}

function becameEmpty(before: Json, after: Json): boolean {
  return isEmptyObject(after) && !isEmptyObject(before);
}

function isEmptyObject(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

const toolkitName = "OpenAPI toolkit";
/** Maximum tools that model vendors accept in one call. */
const maxTools = 128;

const defaultCode = `const fetch = require("node-fetch");
const response = await fetch($url, $options);
return await response.text();`;

const customCodeSamples = [
  { title: "As the call is made without code", text: defaultCode },
  {
    title: "Only some fields of each entry",
    text: `const response = await fetch($url, $options);
if (!response.ok) return "The API answered " + response.status + ": " + (await response.text());
const data = await response.json();
const entries = Array.isArray(data) ? data : [data];
return entries.map(({ id, name }) => ({ id, name }));`,
  },
  {
    title: "One more header",
    text: `const headers = { ...$options.headers, "X-Session": $flow.sessionId };
const response = await fetch($url, { ...$options, headers });
return await response.text();`,
  },
] as const;

const config = z.object({
  openApiFile: z
    .string()
    .optional()
    .meta({ title: "YAML File", help: "The OpenAPI description, as YAML or JSON.", widget: "file", ref: "file" }),
  yamlFile: z
    .string()
    .optional()
    .meta({ title: "YAML file", help: "Used if openApiFile is empty.", hidden: true, ref: "file" }),
  openApiLink: z
    .string()
    .max(8_000)
    .optional()
    .meta({ title: "Link", ref: "address", placeholder: "https://…", help: "Loaded on each run if no file is given." }),
  server: z
    .string()
    .max(8_000)
    .optional()
    .meta({
      title: "Server",
      ref: "address",
      help: "Base address. If empty, the first server in the file is used.",
      ...templated,
    }),
  operations: z.array(z.string().max(500)).max(500).default([]).meta({
    title: "Operations",
    item: "operation",
    help: "By operationId or as METHOD /path. If empty, all are available.",
  }),
  returnDirect: z
    .boolean()
    .default(false)
    .meta({ title: "Return Direct", help: "Return the API's response as the agent's answer." }),
  removeNulls: z
    .boolean()
    .default(false)
    .meta({ title: "Remove null parameters", help: "Do not send keys with null values." }),
  customCode: z.string().max(100_000).optional().meta({
    title: "Custom Code",
    help: "JavaScript that makes the call and returns what the model reads. If empty, the call is made and its response returned.",
    placeholder: defaultCode,
    samples: customCodeSamples,
    widget: "javascript",
  }),
  ...callFieldsTo({ address: "server" }, { servers: "openapi" }),
  idempotent: idempotentField,
});
type ToolkitConfig = z.infer<typeof config>;

/** Turns each operation of an OpenAPI description into a tool. Source: reference, "Builder integrations". */
export const openapiToolkit = defineIntegration({
  type: "openapi-toolkit",
  title: toolkitName,
  summary: "Turns each operation of an OpenAPI description into a tool.",
  group: "toolkit",
  icon: "openapi",
  config,
  review: ({ customCode = "" }) => reviewCode(customCode, "customCode", "Its Custom Code"),
  asksServers: ({ openApiFile, yamlFile, openApiLink }) => ![openApiFile, yamlFile].some(isText) && isText(openApiLink),
  async build(settings, context) {
    const source = await readSource(toolkitName, settings, context);
    const document = await context.documents.read(source.text);
    if (!document.ok) throw invalidTool(toolkitName, document.message);
    const headers = await readHeaderSettings(toolkitName, settings, context);
    const server = isText(settings.server) ? context.render(settings.server ?? "", "url") : undefined;
    const shared = { document: document.value, settings, headers, servers: { server, documentUrl: source.url } };
    return chooseOperations(document.value, settings.operations).map((operation) => toTool(operation, shared));
  },
});

function isText(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== "";
}

type Toolkit = {
  document: OpenApiDocument;
  settings: ToolkitConfig;
  headers: Record<string, string>;
  servers: ServerOptions;
};

function chooseOperations(document: OpenApiDocument, wanted: readonly string[]): readonly Operation[] {
  const entries = wanted.filter((entry) => entry.trim() !== "");
  const unknown = entries.find((entry) => !document.operations.some((operation) => isNamed(operation, entry)));
  if (unknown !== undefined) {
    const known = document.operations
      .slice(0, 20)
      .map((operation) => operation.operationId ?? describeOperation(operation));
    throw invalidTool(toolkitName, `the file has no operation ${unknown}. It has: ${known.join(", ")}.`);
  }
  const chosen = document.operations.filter(
    (operation) => entries.length === 0 || entries.some((entry) => isNamed(operation, entry)),
  );
  if (chosen.length <= maxTools) return chosen;
  throw invalidTool(
    toolkitName,
    `the file has ${chosen.length} operations, and models take at most ${maxTools} tools. Choose some in Operations.`,
  );
}

function toTool(operation: Operation, toolkit: Toolkit): Tool {
  const { document, settings, headers, servers } = toolkit;
  const compiled = document.compile(operation);
  if (!compiled.ok) throw invalidTool(operation.name, compiled.message);
  const server = chooseServer(document.root, operation, servers);
  if (!server.ok) throw invalidTool(operation.name, server.message);
  const { method } = operation;
  const { idempotent } = settings;
  const policy = toCallPolicy(operation.name, withUsableRetries(settings, method), { method, idempotent });
  const target: OperationTarget = { operation: compiled.value, server: server.value, headers };
  return {
    name: operation.name,
    description: compiled.value.description,
    parameters: toParameters(target, settings.removeNulls),
    kind: policy.kind,
    effect: effectOfRequest(method, operation.name),
    call: (args, context) => callOperation({ target, policy, settings }, args, context),
  };
}

/** The toolkit's retries apply only to operations that may be repeated. */
function withUsableRetries(settings: ToolkitConfig, method: string): ToolkitConfig {
  return isReadMethod(method) || settings.idempotent ? settings : { ...settings, retries: undefined };
}

type Call = { target: OperationTarget; policy: CallPolicy; settings: ToolkitConfig };

async function callOperation({ target, policy, settings }: Call, ...[args, context]: Parameters<Tool["call"]>) {
  const call = await buildOperationCall(target, settings.removeNulls ? removeNulls(args) : args);
  if (!call.ok) return { content: call.message, isError: true };
  const code = settings.customCode?.trim();
  const result = code
    ? await runCustomCode(code, call.value, policy, context)
    : await callHttp(call.value, policy, context);
  return settings.returnDirect && !result.isError ? { ...result, returnDirect: true } : result;
}

/** With "Remove null parameters" the model may send null for anything it wants to omit. */
function toParameters({ operation }: OperationTarget, nullsAreRemoved: boolean): JsonSchema {
  const known = listArguments(operation);
  if (!nullsAreRemoved) return objectSchema(known);
  return objectSchema(known.map((entry) => (entry.required ? entry : { ...entry, schema: withNull(entry.schema) })));
}

/**
 * Lets the author's code make the call and produce the model's result. It sees `$url`, `$options` (method, headers,
 * body, as `fetch` accepts them), `$PathParameters`, `$QueryParameters`, `$RequestBody`, `$vars` and `$flow`, and a
 * `fetch` that goes through the platform's client. A result other than text reaches the model as JSON.
 */
async function runCustomCode(
  code: string,
  call: OperationCall,
  policy: CallPolicy,
  context: ToolContext,
): Promise<ToolResult> {
  const started = performance.now();
  const result = await context.sandbox.run({
    code,
    globals: toGlobals(call, policy, context),
    http: context.http,
    ...(context.sql && { sql: context.sql }),
    timeoutMs: policy.timeoutMs,
    signal: context.signal,
  });
  const durationMs = Math.round(performance.now() - started);
  const details = { method: call.method, url: call.shownUrl, durationMs };
  if (!result.ok) {
    const content = `The tool's custom code failed: ${result.error.name}: ${result.error.message}`;
    return { content, isError: true, details };
  }
  return { content: cutText(toText(result.value), policy.maxCharacters), details };
}

function toGlobals(call: OperationCall, policy: CallPolicy, context: ToolContext): JsonObject {
  const extra: Record<string, string> =
    policy.kind === "idempotent" ? { "idempotency-key": context.idempotencyKey } : {};
  const body = typeof call.body === "string" ? call.body : new TextDecoder().decode(call.body);
  return {
    $url: call.url,
    $options: {
      method: call.method,
      headers: { ...call.headers, ...extra },
      ...(call.body === undefined ? {} : { body }),
    },
    $PathParameters: call.pathParameters,
    $QueryParameters: call.queryParameters,
    $RequestBody: call.requestBody ?? null,
    $vars: context.vars,
    $flow: context.flow,
  };
}

function toText(value: Json): string {
  if (value === null) return "The custom code returned nothing.";
  return typeof value === "string" ? value : JSON.stringify(value);
}
