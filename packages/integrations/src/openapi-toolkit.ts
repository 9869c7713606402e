import type { Tool } from "@weft/engine";
import type { JsonSchema } from "@weft/schema";
import { z } from "zod";
import { type CallPolicy, callHttp } from "./call-http.ts";
import { defineIntegration } from "./define-integration.ts";
import { buildOperationCall, listArguments, type OperationTarget } from "./openapi/build-operation-call.ts";
import { chooseServer } from "./openapi/choose-server.ts";
import { withNull } from "./openapi/convert-schema.ts";
import { describeOperation, isNamed, type Operation } from "./openapi/list-operations.ts";
import type { OpenApiDocument } from "./openapi/parse-document.ts";
import { readSource } from "./openapi/read-source.ts";
import { removeNulls } from "./openapi/remove-nulls.ts";
import { runCustomCode } from "./openapi/run-custom-code.ts";
import { invalidTool } from "./outcome.ts";
import { objectSchema } from "./parameter-schema.ts";
import { readHeaderSettings } from "./read-settings.ts";
import { callFields, idempotentField } from "./request-settings.ts";
import { isReadMethod, toCallPolicy } from "./request-tool.ts";

const toolkitName = "OpenAPI toolkit";
/** Tools that model vendors take in one call. */
const maxTools = 128;

const config = z.object({
  openApiFile: z.string().optional().meta({ title: "OpenAPI file", help: "YAML or JSON.", widget: "file" }),
  yamlFile: z.string().optional().meta({ title: "YAML file", help: "Read when OpenAPI file is empty.", hidden: true }),
  openApiLink: z
    .string()
    .max(8_000)
    .optional()
    .meta({ title: "Link", placeholder: "https://…", help: "Loaded at each run, if no file is given." }),
  server: z
    .string()
    .max(8_000)
    .optional()
    .meta({ title: "Server", help: "Base address. Empty: the file's first server." }),
  operations: z
    .array(z.string().max(500))
    .max(500)
    .default([])
    .meta({ title: "Operations", item: "operation", help: "By operationId or as METHOD /path. Empty: all." }),
  returnDirect: z
    .boolean()
    .default(false)
    .meta({ title: "Return direct", help: "The API's answer is the agent's answer." }),
  removeNulls: z
    .boolean()
    .default(false)
    .meta({ title: "Remove null parameters", help: "Keys with null values are not sent." }),
  customCode: z.string().max(100_000).optional().meta({
    title: "Custom code",
    help: "JavaScript that makes the call: const response = await fetch($url, $options); return await response.text();",
    widget: "javascript",
    advanced: true,
  }),
  ...callFields,
  idempotent: idempotentField,
});
type ToolkitConfig = z.infer<typeof config>;

/** Turns each operation of an OpenAPI description into a tool. Source: reference, "Builder integrations". */
export const openapiToolkit = defineIntegration({
  type: "openapi-toolkit",
  title: toolkitName,
  summary: "Makes a tool of each operation of an OpenAPI description.",
  group: "toolkit",
  icon: "openapi",
  config,
  async build(settings, context) {
    const source = await readSource(toolkitName, settings, context);
    const document = await context.documents.read(source.text);
    if (!document.ok) throw invalidTool(toolkitName, document.message);
    const headers = await readHeaderSettings(toolkitName, settings, context);
    const shared = { document: document.value, settings, headers, documentUrl: source.url };
    return chooseOperations(document.value, settings.operations).map((operation) => toTool(operation, shared));
  },
});

type Toolkit = {
  document: OpenApiDocument;
  settings: ToolkitConfig;
  headers: Record<string, string>;
  documentUrl: string | undefined;
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
  const { document, settings, headers, documentUrl } = toolkit;
  const compiled = document.compile(operation);
  if (!compiled.ok) throw invalidTool(operation.name, compiled.message);
  const server = chooseServer(document.root, operation, { server: settings.server, documentUrl });
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
    call: (args, context) => callOperation({ target, policy, settings }, args, context),
  };
}

/** The toolkit's retries are meant for those of its operations that may be repeated. */
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

/** With "Remove null parameters" the model may send null for whatever it wants to leave out. */
function toParameters({ operation }: OperationTarget, nullsAreRemoved: boolean): JsonSchema {
  const known = listArguments(operation);
  if (!nullsAreRemoved) return objectSchema(known);
  return objectSchema(known.map((entry) => (entry.required ? entry : { ...entry, schema: withNull(entry.schema) })));
}
