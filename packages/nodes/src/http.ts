import { type GuardContext, type Guarded, guardCall } from "@weft/engine/agent";
import { credentialHeaders } from "@weft/engine/http";
import { defineNode, type NodeContext, type NodeProblem, type NodeResult, type NodeServices } from "@weft/engine/node";
import type { HttpResponse } from "@weft/engine/ports/http-client";
import { templated } from "@weft/engine/template";
import {
  isDeeperThan,
  isLargeJson,
  type Json,
  type JsonObject,
  jsonPieces,
  maxJsonDepth,
  parseJsonOrText,
  WeftError,
} from "@weft/schema";
import { z } from "zod";
import { type BodyContext, bodyTypes, encodeBody } from "./http-body.ts";

const row = z.object({
  key: z.string().max(500).meta({ title: "Name" }),
  value: z
    .string()
    .max(20_000)
    .default("")
    .meta({ title: "Value", ...templated }),
});

const responseTypes = ["json", "text", "array-buffer", "base64"] as const;
type ResponseType = (typeof responseTypes)[number];

/** The settings of an HTTP step. */
export const httpConfig = z.object({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]).default("GET").meta({ title: "Method" }),
  url: z
    .string()
    .max(10_000)
    .default("")
    .meta({ title: "URL", ref: "address", placeholder: "https://…", ...templated }),
  headers: z.array(row).max(100).default([]).meta({ title: "Headers", widget: "rows", item: "header" }),
  query: z.array(row).max(100).default([]).meta({ title: "Query parameters", widget: "rows", item: "parameter" }),
  bodyType: z
    .enum(bodyTypes)
    .optional()
    .meta({
      title: "Body",
      placeholder: "JSON if there is a body text, otherwise none",
      labels: {
        none: "None",
        json: "JSON",
        raw: "Text",
        "form-data": "Form data",
        "x-www-form-urlencoded": "URL-encoded form",
      },
    }),
  body: z
    .string()
    .max(1_000_000)
    .default("")
    .meta({
      title: "Body text",
      widget: "textarea",
      showWhen: { field: "bodyType", is: ["json", "raw", null] },
      ...templated,
    }),
  form: z
    .array(row)
    .max(200)
    .default([])
    .meta({
      title: "Form fields",
      widget: "rows",
      item: "field",
      showWhen: { field: "bodyType", is: ["form-data", "x-www-form-urlencoded"] },
    }),
  responseType: z
    .enum(responseTypes)
    .default("json")
    .meta({
      title: "Read the answer as",
      labels: { json: "JSON", text: "Text", "array-buffer": "Bytes", arraybuffer: "Bytes", base64: "Base64" },
    }),
  credential: z
    .string()
    .max(100)
    .optional()
    .meta({ title: "Credential", widget: "credential", ref: "credential", goesTo: [{ address: "url" }] }),
  timeoutMs: z.number().int().min(1).max(600_000).default(30_000).meta({ title: "Time limit (ms)", advanced: true }),
  maxBytes: z
    .number()
    .int()
    .min(1)
    .max(50_000_000)
    .default(5_000_000)
    .meta({ title: "Largest answer (bytes)", advanced: true }),
  failOnErrorStatus: z.boolean().default(true).meta({
    title: "Fail on an error status",
    help: "When off, a status of 400 or above is treated as a normal result.",
  }),
  idempotent: z.boolean().default(false).meta({
    title: "May be repeated",
    help: "The API honours Idempotency-Key, so an interrupted call is retried.",
    advanced: true,
  }),
  readOnly: z
    .boolean()
    .default(false)
    .meta({
      title: "Only reads",
      help: "Whatever values fill its templates, this request changes nothing, as with a search or a GraphQL query. Visitors need no approval, and an interrupted call is retried. The URL must not contain templates.",
      showWhen: { field: "method", is: ["POST"] },
      advanced: true,
    }),
});
type HttpNodeConfig = z.infer<typeof httpConfig>;

/** Calls an HTTP API as a step of the flow. */
export const http = defineNode({
  type: "http",
  version: 1,
  title: "HTTP",
  summary: "Calls an HTTP API and passes on its response.",
  group: "action",
  icon: "globe",
  outline: ["method", "url"],
  bringsData: true,
  config: httpConfig,
  review: (config) => [...reviewUrl(config.url.trim()), ...reviewReadOnly(config)],
  execute: callHttp,
});

/** The part of a node's context that an HTTP step uses. */
export type HttpContext = GuardContext &
  BodyContext &
  Pick<NodeContext, "effect" | "turn"> & { readonly services: Pick<NodeServices, "http" | "readCredential"> };

/** Makes the request in an effect. Suspends if a person has to allow it. */
export async function callHttp(context: HttpContext, config: HttpNodeConfig): Promise<NodeResult> {
  const request = await buildRequest(context, config);
  const kind = isRead(config) ? "read" : config.idempotent ? "idempotent" : "write";
  const guarded = guardRequest(context, config, request);
  if (guarded.type === "suspend") return guarded;
  if (guarded.type === "refused") throw new WeftError("flow-call-refused", { params: { reason: guarded.message } });
  const answer = await context.effect(
    { key: "http", kind, category: "http", name: `${config.method} ${request.shownUrl}`, input: request.shown },
    async ({ signal, idempotencyKey }) => {
      const auth = config.credential ? credentialHeaders(await context.services.readCredential(config.credential)) : {};
      const extra: Record<string, string> = config.idempotent ? { "idempotency-key": idempotencyKey } : {};
      const response = await context.services.http.request({
        ...request.call,
        headers: { ...auth, ...extra, ...request.call.headers },
        timeoutMs: config.timeoutMs,
        maxBytes: config.maxBytes,
        signal,
      });
      return readAnswer(context, config, response);
    },
  );
  return { type: "completed", output: answer, text: await toAnswerText(context, answer.data) };
}

/**
 * Whether the request changes nothing: by its method, or because the flow's author declares it for a POST to one
 * address. If a template is part of the address, a visitor's words could choose another endpoint, so it counts as a
 * write.
 */
function isRead({ method, url, readOnly }: HttpNodeConfig): boolean {
  if (method === "GET" || method === "HEAD") return true;
  return method === "POST" && readOnly && !url.includes("{{");
}

function reviewReadOnly({ method, url, readOnly }: HttpNodeConfig): NodeProblem[] {
  if (method !== "POST" || !readOnly || !url.includes("{{")) return [];
  const message =
    'Its URL contains a template, so the request counts as a write although "Only reads" is on. Write out the URL, or switch the setting off.';
  return [{ level: "warning", code: "http-read-templated", path: "url", message }];
}

/** An address that starts with a template is known at run time only. */
function reviewUrl(url: string): NodeProblem[] {
  const problem = (code: string, message: string) => [{ level: "error" as const, code, path: "url", message }];
  if (url === "") return problem("http-url-missing", "Enter a URL.");
  const known = url.replaceAll(/\{\{[^{}]*\}\}/g, "x");
  if (url.startsWith("{{") || /^https?:$/.test(URL.parse(known)?.protocol ?? "")) return [];
  return problem("http-url-invalid", "Its URL is not an absolute http or https address. Correct it.");
}

/**
 * Without a template the request is the author's own: a visitor's words change nothing in it. Whether something is
 * deleted, and how often, is up to a visitor nevertheless, so a DELETE always asks, as a replay does about every
 * change.
 */
function guardRequest(
  context: GuardContext,
  config: HttpNodeConfig,
  { shownUrl, shown }: { shownUrl: string; shown: JsonObject },
): Guarded {
  const { method, url, headers, query, body, form } = config;
  const effect = method === "DELETE" ? "destructive" : "write";
  const isFixed = !context.run.input.isReplay && !JSON.stringify([url, headers, query, body, form]).includes("{{");
  if (isRead(config) || (isFixed && effect === "write")) return { type: "allowed" };
  return guardCall(context, { name: `${method} ${shownUrl}`, args: shown, key: "http", effect });
}

/** If an error status is a failure, it fails the effect itself, so that a retry repeats the request. */
async function readAnswer(context: HttpContext, config: HttpNodeConfig, response: HttpResponse): Promise<JsonObject> {
  const answer = await readResponse(context, response, config.responseType);
  const { status, statusText } = response;
  if (!config.failOnErrorStatus || status < 400) return answer;
  const said = (await toAnswerText(context, answer.data)).slice(0, 500);
  const retryAfterSeconds = readRetryAfter(response.headers);
  throw new WeftError("flow-node-failed", {
    params: { reason: `${context.label}: ${config.method} answered ${status} ${statusText}. ${said}` },
    upstream: retryAfterSeconds === undefined ? { status } : { status, retryAfterSeconds },
    retryable: status === 429 || status >= 500,
  });
}

async function buildRequest(context: BodyContext, config: HttpNodeConfig) {
  const url = addQuery(context.renderText(config.url, "url"), rows(context, config.query));
  const headers = toHeaders(rows(context, config.headers));
  const encoded = encodeBody(context, config, rows(context, config.form));
  const call = {
    method: config.method,
    url: url.href,
    headers: { ...encoded.headers, ...headers },
    ...(encoded.body === undefined ? {} : { body: encoded.body }),
  };
  const shownUrl = `${url.origin}${url.pathname}`;
  const shown: JsonObject = { url: shownUrl, body: encoded.shown };
  return { call, shownUrl, shown };
}

function addQuery(text: string, query: readonly (readonly [string, string])[]): URL {
  if (text.trim() === "") {
    throw new WeftError("flow-node-failed", { params: { reason: "The HTTP node has no URL. Enter one." } });
  }
  const url = URL.parse(text.trim());
  if (!url) {
    throw new WeftError("flow-node-failed", {
      params: { reason: `The HTTP node's URL is not an absolute address: ${text.trim().slice(0, 200)}` },
    });
  }
  for (const [key, value] of query) url.searchParams.append(key, value);
  return url;
}

/** Named rows, their values rendered. Rows without a name are ignored. */
function rows(context: BodyContext, entries: readonly { key: string; value: string }[]): [string, string][] {
  return entries
    .filter(({ key }) => key.trim() !== "")
    .map(({ key, value }) => [key.trim(), context.renderText(value)]);
}

/**
 * Header rows as an object with names in lower case; the last of a name counts.
 * Throws `flow-node-failed` for a name or value that HTTP does not permit (RFC 9110, section 5): a line break in a
 * value from a template would start another header.
 */
function toHeaders(rows: readonly (readonly [string, string])[]): Record<string, string> {
  for (const [name, value] of rows) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw refused(`A header cannot be named ${JSON.stringify(name)}.`);
    if (/[\r\n\0]/.test(value)) throw refused(`The value of the header ${name} must not contain a line break.`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw refused(`The value of the header ${name} has characters that headers cannot carry. Encode it.`);
    }
  }
  return Object.fromEntries(rows.map(([name, value]) => [name.toLowerCase(), value]));
}

function refused(reason: string): WeftError {
  return new WeftError("flow-node-failed", { params: { reason } });
}

/** The node's output for an answer. Cookies are the called API's secrets and are left out. */
async function readResponse(turns: HttpContext, response: HttpResponse, as: ResponseType): Promise<JsonObject> {
  const { status, statusText, headers, body } = response;
  const { "set-cookie": _cookies, ...shown } = headers;
  return { status, statusText, headers: shown, data: await decode(turns, body, as) };
}

/** The data as text for an answer. A long one is written in pieces, so that it does not block. */
async function toAnswerText(turns: HttpContext, data: Json | undefined): Promise<string> {
  if (typeof data === "string") return data;
  if (data === null || data === undefined) return "";
  if (!isLargeJson(data)) return JSON.stringify(data);
  let text = "";
  for (const piece of jsonPieces(data)) {
    text += piece;
    await turns.turn();
  }
  return text;
}

/** Seconds of a `Retry-After` header (RFC 9110, section 10.2.3) with a delay; undefined for a date. */
function readRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

async function decode(turns: HttpContext, body: Uint8Array, as: ResponseType): Promise<Json> {
  switch (as) {
    case "base64":
      return toBase64(body);
    case "array-buffer":
      return [...body];
    case "text":
      return new TextDecoder().decode(body);
    case "json":
      return parseOrKeep(turns, new TextDecoder().decode(body));
  }
}

/**
 * JSON that is invalid, has too many values or is nested too deeply is kept as text: an error page is a result, too.
 */
async function parseOrKeep(turns: HttpContext, text: string): Promise<Json> {
  if (text.trim() === "") return null;
  if (hasMoreCommas(text, mostValues)) return text;
  if (text.length < longText) return withoutDepth(parseJsonOrText(text), text);
  await turns.turn();
  const value = parseJsonOrText(text);
  await turns.turn();
  return withoutDepth(value, text);
}

/** Reading and examining this many characters takes some milliseconds each. */
const longText = 256 * 1_024;

const withoutDepth = (value: Json, text: string): Json => (isDeeperThan(value, maxJsonDepth) ? text : value);

/** As many as a request may have. */
const mostValues = 200_000;

function hasMoreCommas(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let count = 0;
  for (let at = text.indexOf(","); at >= 0 && count <= most; at = text.indexOf(",", at + 1)) count += 1;
  return count > most;
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return btoa(binary);
}
