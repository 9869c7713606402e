import { setImmediate as nextTurn } from "node:timers/promises";
import { readArguments } from "@weft/engine/agent";
import type { TemplatePlace } from "@weft/engine/node";
import type { Tool, ToolResult } from "@weft/engine/ports/tool";
import { encodeForUrl, parseTemplate, renderJson, renderTemplate, toText } from "@weft/engine/template";
import { callHttp, type HttpContext, httpConfig } from "@weft/nodes";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type RequestDescription,
  type RequestTrial,
  type RequestTrialRequest,
  toJsonObject,
  WeftError,
} from "@weft/schema";
import type { z } from "zod";
import type { Context } from "../context.ts";
import type { Needs, Services } from "../feature.ts";

type TrialDeps = Services["nodeServices"] & { newId(): string };

type Settings = Pick<RequestTrialRequest, "type" | "config">;

/** Sends the requests of request integrations, OpenAPI toolkits and HTTP steps, for their authors. */
export type RequestTrialService = {
  /**
   * Rejects with `validation-failed` for a type that sends nothing, and with `parameters-invalid` for wrong settings.
   */
  describe(settings: Settings, signal: AbortSignal): Promise<RequestDescription>;
  /**
   * Sends one request as a run would. Failures of the called API, the egress rules or the settings are an answer.
   * Rejects with `validation-failed` for a type that sends nothing, and for missing parameters and values; with
   * `parameters-invalid` for settings that an HTTP step cannot have.
   */
  send(request: RequestTrialRequest, signal: AbortSignal): Promise<RequestTrial>;
};

const toolTypes = new Set(["request-get", "request-post", "request-put", "request-delete", "openapi-toolkit"]);
const httpStep = "http";
/** Most characters of an answer shown. */
const maxCharacters = 20_000;

export function createRequestTrialService(
  { ids }: Context,
  { nodeServices, sandboxes }: Needs<"nodeServices" | "sandboxes">,
): RequestTrialService {
  const deps: TrialDeps = { ...nodeServices, sandbox: sandboxes.ofTrials, newId: ids.uuid };
  return {
    async describe({ type, config }, signal) {
      const references = referencesIn(config);
      if (type === httpStep) return { requests: [describeHttpStep(parseHttpStep(config))], references };
      const building = buildTools(deps, { type, config }, { signal, render: renderAnything });
      const tools = await building.catch(refuseSettings);
      return { requests: tools.map(describeTool), references };
    },

    async send({ type, config, name, input, values }, signal) {
      refuseMissing(referencesIn(config), values);
      const step = type === httpStep ? parseHttpStep({ ...config, failOnErrorStatus: false }) : undefined;
      const render = rendererOf(values);
      const started = performance.now();
      const sent = await answerOf(async () => {
        if (step !== undefined) return trialOfHttpStep(deps, step, { render, signal });
        const tools = await buildTools(
          deps,
          { type, config },
          { signal, render: (text, place) => toText(render(text, place)) },
        );
        return callTool(deps, chooseTool(tools, name), input, signal);
      });
      const { content, isError = false, details = {} } = sent;
      return {
        status: typeof details.status === "number" ? details.status : null,
        url: typeof details.url === "string" ? details.url : "",
        output: content.slice(0, maxCharacters),
        isError,
        durationMs: Math.round(performance.now() - started),
      };
    },
  };
}

/** Unusable settings are an answer, for their author to fix; an invalid request is an error. */
async function answerOf(call: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await call();
  } catch (cause) {
    const isAnswer = cause instanceof WeftError && cause.code !== "validation-failed";
    if (!isAnswer) throw cause;
    return { content: cause.message, isError: true };
  }
}

type Build = { signal: AbortSignal; render(text: string, place?: "text" | "url"): string };

function buildTools(deps: TrialDeps, { type, config }: Settings, build: Build): Promise<Tool[]> {
  if (!toolTypes.has(type)) {
    throw invalid("type", `${type} does not send requests. Use one of: ${[...toolTypes, httpStep].join(", ")}.`);
  }
  const { readCredential, http } = deps;
  return deps.tools.resolve({ type, config }, { ...build, readCredential, http });
}

function chooseTool(tools: readonly Tool[], name: string | undefined): Tool {
  const [only, ...others] = name === undefined ? tools : tools.filter((tool) => tool.name === name);
  if (only && others.length === 0) return only;
  throw invalid(
    "name",
    `Name one of these requests: ${tools
      .slice(0, 50)
      .map((tool) => tool.name)
      .join(", ")}.`,
  );
}

function callTool(deps: TrialDeps, tool: Tool, input: JsonObject, signal: AbortSignal): Promise<ToolResult> {
  const read = readArguments(JSON.stringify(input), tool.parameters);
  if (!read.ok) throw invalid("input", read.message);
  const { http, sandbox } = deps;
  return tool.call(read.args, { signal, http, sandbox, vars: {}, flow: noRun, idempotencyKey: deps.newId() });
}

/** `$flow` outside a run. */
const noRun = { chatflowId: "", chatId: "", sessionId: "", executionId: "", input: "", state: {} };

function describeTool({ name, description, parameters, kind }: Tool): RequestDescription["requests"][number] {
  return { name, description, changes: kind !== "read", input: parameters };
}

function describeHttpStep({ method }: HttpStep): RequestDescription["requests"][number] {
  return {
    name: method,
    description: "",
    changes: method !== "GET" && method !== "HEAD",
    input: { type: "object", properties: {} },
  };
}

/** Settings whose braces are not templates. */
const untemplated = new Set(["openApiFile", "yamlFile", "customCode", "description", "name"]);

/** The expressions in the templates of some settings, each once. */
function referencesIn(config: JsonObject): string[] {
  const texts: string[] = [];
  const collect = (part: Json): void => {
    if (typeof part === "string") texts.push(part);
    else if (part !== null && typeof part === "object") for (const inner of Object.values(part)) collect(inner);
  };
  for (const [name, setting] of Object.entries(config)) if (!untemplated.has(name)) collect(setting);
  const paths = texts.flatMap((text) =>
    parseTemplate(text).flatMap((part) => (part.kind === "reference" ? [part.path.join(".")] : [])),
  );
  return [...new Set(paths)];
}

function refuseMissing(references: readonly string[], values: JsonObject): void {
  const missing = references.filter((reference) => !Object.hasOwn(values, reference));
  if (missing.length > 0) throw invalid("values", `Nothing was sent. Provide a value for: ${missing.join(", ")}.`);
}

/** Renders templates with the given values, encoded for their place as in a run. */
function rendererOf(values: JsonObject) {
  const roots = toTree(values);
  const scope = { root: (name: string) => roots[name], node: () => undefined };
  const onUnknown = () => undefined;
  return (text: string, place: TemplatePlace = "text"): Json => {
    if (place === "json") return renderJson(text, scope, { onUnknown });
    return renderTemplate(text, scope, place === "url" ? { onUnknown, encode: encodeForUrl } : { onUnknown });
  };
}

/** `{ "a.b": 1 }` as `{ a: { b: 1 } }`. */
function toTree(values: JsonObject): JsonObject {
  const root: JsonObject = Object.create(null);
  for (const [path, value] of Object.entries(values)) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    let at = root;
    for (const name of names) {
      const inner = at[name];
      const next = isJsonObject(inner) ? inner : Object.create(null);
      at[name] = next;
      at = next;
    }
    at[last] = value;
  }
  return root;
}

/** Nothing is sent, so any value will do; a template at the start of an address stands for an address. */
function renderAnything(text: string, place?: "text" | "url"): string {
  const begun = place === "url" ? text.replace(/^\s*\{\{[^{}]*\}\}/, "https://known.invalid") : text;
  return begun.replaceAll(/\{\{[^{}]*\}\}/g, "x");
}

function invalid(path: string, message: string): WeftError {
  return new WeftError("validation-failed", { message, errors: [{ path, message }] });
}

/** Throws the error for settings that make no tool, with the tool's own message. */
function refuseSettings(cause: unknown): never {
  if (!(cause instanceof WeftError) || cause.code !== "tool-invalid") throw cause;
  const { message, errors } = cause;
  throw invalidSettings(message, errors.length > 0 ? errors : [{ path: "config", message }]);
}

function invalidSettings(reason: string, errors: WeftError["errors"]): WeftError {
  return new WeftError("parameters-invalid", { params: { reason }, errors });
}

type HttpStep = z.infer<typeof httpConfig>;

/** Throws `parameters-invalid`, which names the setting. */
function parseHttpStep(config: JsonObject): HttpStep {
  const parsed = httpConfig.safeParse(config);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({ path: ["config", ...path].join("."), message }));
  const [first] = parsed.error.issues;
  throw invalidSettings(`The step's settings are invalid at ${first?.path.join(".")}: ${first?.message}.`, errors);
}

type StepCall = { render(text: string, place?: TemplatePlace): Json; signal: AbortSignal };

async function trialOfHttpStep(deps: TrialDeps, step: HttpStep, call: StepCall): Promise<ToolResult> {
  const seen = { url: "" };
  const result = await callHttp(contextOf(deps, call, seen), step);
  if (result.type !== "completed") throw new Error("An HTTP step completes or fails.");
  const status = Number(toJsonObject(result.output).status);
  return { content: result.text ?? "", details: { status, url: seen.url }, ...(status >= 400 && { isError: true }) };
}

/** As within a run, without a journal and without a visitor. */
function contextOf(
  { newId, readCredential, http }: TrialDeps,
  { render, signal }: StepCall,
  seen: { url: string },
): HttpContext {
  const id = newId();
  return {
    label: "HTTP",
    answers: new Map(),
    run: { runId: id, input: {} },
    services: { readCredential, http },
    render,
    renderText: (text, place) => toText(render(text, place)),
    turn: () => nextTurn(undefined, { signal }),
    effect({ input }, run) {
      seen.url = String(toJsonObject(input).url);
      return run({ seq: 0, signal, idempotencyKey: id });
    },
  };
}
