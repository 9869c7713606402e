import type { Tool, ToolContext, ToolResult } from "@weft/engine/ports/tool";
import {
  type EffectKind,
  effectOfMethod,
  effectOfName,
  type Json,
  type JsonObject,
  severerEffect,
  type ToolEffect,
  toJsonObject,
} from "@weft/schema";
import { buildUrl, toQueryPairs } from "./calls/build-url.ts";
import { type CallPolicy, callHttp, type HttpCall } from "./calls/call-http.ts";
import { readHeaderSettings, readObjectSetting, renderJsonSetting } from "./calls/call-settings.ts";
import { checkArguments, isAbsent, sentValue } from "./calls/check-arguments.ts";
import {
  type ParameterPlace,
  type RequestParameters,
  readParameterSchema,
  toModelSchema,
} from "./calls/parameter-schema.ts";
import type { IntegrationContext } from "./define-integration.ts";
import { invalidTool, type Outcome, toToolName } from "./tool-name.ts";

/** Settings shared by all request integrations, as their config schemas parse them. */
export type RequestConfig = {
  url: string;
  name?: string | undefined;
  description?: string | undefined;
  headers?: JsonObject | string | undefined;
  credential?: string | undefined;
  timeoutMs: number;
  maxBytes: number;
  maxCharacters: number;
  retries?: number | undefined;
};

export type RequestToolOptions = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  config: RequestConfig;
  /** The request-parameter or body schema. */
  schema: JsonObject | string | undefined;
  /** The fixed body. */
  body?: JsonObject | string | undefined;
  idempotent?: boolean;
  /** Whether the author declares a POST read-only. Only for a URL without placeholders. */
  readOnly?: boolean;
  defaults: { name: string; description: string };
};

type RequestPlan = {
  method: string;
  url: string;
  headers: Record<string, string>;
  parameters: RequestParameters;
  fixedBody: JsonObject | undefined;
};

/** Builds the one tool of a request integration. Throws `tool-invalid` for invalid settings. */
export async function createRequestTool(options: RequestToolOptions, context: IntegrationContext): Promise<Tool> {
  const { method, config, defaults } = options;
  const name = toToolName(config.name ?? "", defaults.name);
  const url = readUrl(name, config.url, context);
  const fixed = readObjectSetting({ tool: name, title: "Body" }, options.body);
  const plan: RequestPlan = {
    method,
    url,
    headers: await readHeaderSettings(name, config, context),
    fixedBody: fixed && toJsonObject(renderJsonSetting(fixed, context)),
    parameters: readParameterSchema({
      tool: name,
      method,
      url,
      schema: readObjectSetting({ tool: name, title: "The schema" }, options.schema),
      defaultPlace: method === "GET" || method === "DELETE" ? "query" : "body",
    }),
  };
  const { idempotent = false, readOnly = false } = options;
  if (readOnly) refusePlaces(name, config.url, plan.parameters);
  const policy = toCallPolicy(name, config, { method, idempotent, readOnly });
  return {
    name,
    description: config.description?.trim() || defaults.description,
    parameters: toModelSchema(withoutFixed(plan)),
    kind: policy.kind,
    effect: readOnly ? "read" : effectOfRequest(method, name),
    call: (args, call) => callRequest(plan, policy, args, call),
  };
}

/** A URL that the model or a template helps to form could be another endpoint's. */
function refusePlaces(tool: string, url: string, parameters: RequestParameters): void {
  const hasPath = parameters.type === "declared" && parameters.parameters.some(({ place }) => place === "path");
  if (!hasPath && !url.includes("{{")) return;
  throw invalidTool(
    tool,
    '"Only reads" is on, so its URL must not contain templates or path parameters. Write out the URL, or switch the setting off.',
  );
}

/** Kind and limits of a call. Throws `tool-invalid` if a write that may not be repeated has retries. */
export function toCallPolicy(
  tool: string,
  config: Pick<RequestConfig, "timeoutMs" | "maxBytes" | "maxCharacters" | "retries">,
  request: { method: string; idempotent: boolean; readOnly?: boolean },
): CallPolicy {
  const { timeoutMs, maxBytes, maxCharacters, retries } = config;
  const isRead = request.readOnly === true || isReadMethod(request.method);
  const kind: EffectKind = isRead ? "read" : request.idempotent ? "idempotent" : "write";
  if (kind === "write" && retries !== undefined && retries > 0) {
    throw invalidTool(
      tool,
      'a write is not repeated unless "May be repeated" is on. Switch it on, or set Retries to 0.',
    );
  }
  return { kind, timeoutMs, maxBytes, maxCharacters, retries: retries ?? (isRead ? 2 : 0) };
}

/** A POST may also delete; then its name tells. */
export function effectOfRequest(method: string, name: string): ToolEffect {
  const effect = effectOfMethod(method);
  return effect === "read" ? effect : severerEffect(effect, effectOfName(name));
}

/** Methods that only read (RFC 9110, 9.2.1). */
export function isReadMethod(method: string): boolean {
  return effectOfMethod(method) === "read";
}

async function callRequest(
  plan: RequestPlan,
  policy: CallPolicy,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolResult> {
  const call = buildCall(plan, args);
  if (!call.ok) return { content: call.message, isError: true };
  const result = await callHttp(call.value, policy, context);
  const isUnknown = plan.method === "PUT" && [404, 405].includes(Number(result.details?.status));
  return isUnknown ? { ...result, content: `${result.content}\n\n${patchHint}` } : result;
}

const patchHint =
  "Hint: APIs that update with PATCH answer PUT in this way. If this one does, set the method of this tool to PATCH.";

function buildCall(plan: RequestPlan, args: JsonObject): Outcome<HttpCall> {
  const sorted = sortArguments(plan, args);
  if (!sorted.ok) return sorted;
  const { path, query, body } = sorted.value;
  const address = buildUrl(plan.url, path, query);
  if (!address.ok) return address;
  const defaults = { accept: "application/json, text/*;q=0.9, */*;q=0.5" };
  const call = { method: plan.method, ...address.value };
  if (body === undefined) return { ok: true, value: { ...call, headers: { ...defaults, ...plan.headers } } };
  const headers = { ...defaults, "content-type": "application/json", ...plan.headers };
  return { ok: true, value: { ...call, headers, body: JSON.stringify({ ...body, ...plan.fixedBody }) } };
}

type SortedArguments = {
  path: { argument: string; name: string; value: Json }[];
  query: [string, string][];
  body: JsonObject | undefined;
};

/** The place of each argument. Arguments set by the fixed body are dropped: it would override them anyway. */
function sortArguments(plan: RequestPlan, args: JsonObject): Outcome<SortedArguments> {
  const { parameters, fixedBody } = plan;
  if (parameters.type === "free") return { ok: true, value: sortFreely(parameters.place, fixedBody, args) };
  const declared = declaredBesides(fixedBody, parameters.parameters);
  const problem = checkArguments(declared, args, new Set(Object.keys(fixedBody ?? {})));
  if (problem) return { ok: false, message: problem };
  const at = (place: ParameterPlace) => declared.filter((parameter) => parameter.place === place);
  const sent = (argument: string) => sentValue(args, argument) ?? null;
  const fields = at("body");
  const body = fields
    .filter(({ argument }) => !isAbsent(args, argument))
    .map(({ argument, name }) => [name, sent(argument)] as const);
  return {
    ok: true,
    value: {
      path: at("path").map(({ argument, name }) => ({ argument, name, value: sent(argument) })),
      query: at("query").flatMap(({ argument, name }) => toQueryPairs(name, sent(argument))),
      body: fields.length > 0 ? Object.fromEntries(body) : fixedBody,
    },
  };
}

function sortFreely(place: ParameterPlace, fixedBody: JsonObject | undefined, args: JsonObject): SortedArguments {
  if (place === "body") return { path: [], query: [], body: args };
  const query = Object.entries(args).flatMap(([name, value]) => toQueryPairs(name, value));
  return { path: [], query, body: fixedBody };
}

function withoutFixed({ parameters, fixedBody }: RequestPlan): RequestParameters {
  if (parameters.type === "free") return parameters;
  return { type: "declared", parameters: declaredBesides(fixedBody, parameters.parameters) };
}

function declaredBesides<T extends { name: string; place: string }>(fixed: JsonObject | undefined, all: readonly T[]) {
  return all.filter(({ name, place }) => place !== "body" || !Object.hasOwn(fixed ?? {}, name));
}

function readUrl(tool: string, setting: string, context: IntegrationContext): string {
  const url = context.render(setting, "url").trim();
  const parsed = URL.parse(url);
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) {
    throw invalidTool(tool, "its URL is not an absolute http or https address. Correct it.");
  }
  return url;
}
