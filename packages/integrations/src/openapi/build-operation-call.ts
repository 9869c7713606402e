import { isJsonObject, type Json, type JsonObject, type JsonSchema, toJsonObject } from "@weft/schema";
import { addQuery, encodePathValue, toPlainText, toQueryPairs } from "../calls/build-url.ts";
import type { HttpCall } from "../calls/call-http.ts";
import { checkArguments, checkHeader, sentValue } from "../calls/check-arguments.ts";
import type { Outcome } from "../tool-name.ts";
import type { CompiledOperation, OperationBody, OperationParameter } from "./compile-operation.ts";

/** A call, with its original values for custom code. */
export type OperationCall = HttpCall & {
  pathParameters: JsonObject;
  queryParameters: JsonObject;
  requestBody: Json | undefined;
};

export type OperationTarget = { operation: CompiledOperation; server: string; headers: Record<string, string> };

/** Builds the call for the arguments, or describes why they are invalid. */
export async function buildOperationCall(target: OperationTarget, args: JsonObject): Promise<Outcome<OperationCall>> {
  const { operation } = target;
  const problem = checkArguments(listArguments(operation), args);
  if (problem) return { ok: false, message: problem };
  const address = buildAddress(target, args);
  if (!address.ok) return address;
  const headers = readHeaders(operation.parameters, args);
  if (!headers.ok) return headers;
  const requestBody = readBody(operation.body, args);
  if (!requestBody.ok) return requestBody;
  const value = requestBody.value;
  const encoded =
    value === undefined || !operation.body ? undefined : await encodeBody(operation.body.mediaType, value);
  return {
    ok: true,
    value: {
      method: operation.method,
      ...address.value,
      headers: {
        accept: "application/json, text/*;q=0.9, */*;q=0.5",
        ...headers.value,
        ...target.headers,
        ...(encoded ? { "content-type": encoded.contentType } : {}),
      },
      ...(encoded ? { body: encoded.body } : {}),
      pathParameters: valuesOf(operation.parameters, "path", args),
      queryParameters: valuesOf(operation.parameters, "query", args),
      requestBody: value,
    },
  };
}

export type OperationArgument = { argument: string; required: boolean; schema: JsonSchema; takesNull?: boolean };

/** The arguments available to the model, in document order. A body's fields are required if the body is. */
export function listArguments({ parameters, body }: CompiledOperation): OperationArgument[] {
  if (!body) return [...parameters];
  if (body.type === "whole") return [...parameters, { ...body, takesNull: takesNull(body.schema) }];
  const fields = body.fields.map(({ argument, required, schema }) => ({
    argument,
    required: required && body.required,
    schema,
    takesNull: takesNull(schema),
  }));
  return [...parameters, ...fields];
}

function takesNull({ type, enum: values, anyOf }: JsonSchema): boolean {
  if (Array.isArray(type)) return type.includes("null");
  if (Array.isArray(values)) return values.includes(null);
  return type === "null" || (Array.isArray(anyOf) && anyOf.some((member) => toJsonObject(member).type === "null"));
}

function buildAddress({ operation, server }: OperationTarget, args: JsonObject) {
  let { path } = operation;
  const query: [string, string][] = [];
  for (const parameter of operation.parameters) {
    const value = sentValue(args, parameter.argument);
    if (value === undefined) continue;
    if (parameter.place === "query") query.push(...toQueryParameters(parameter, value));
    if (parameter.place !== "path") continue;
    const segment = toPathSegment(parameter, value);
    if (!segment.ok) return { ok: false, message: `Nothing was called: ${segment.message}` } as const;
    path = path.replaceAll(`{${parameter.name}}`, () => segment.value);
  }
  const url = URL.parse(server);
  if (!url) return { ok: false, message: "Nothing was called: the server's address is not a valid URL." } as const;
  url.pathname = `${url.pathname.replace(/\/$/, "")}${path}`;
  return { ok: true, value: addQuery(url, query) } as const;
}

function readHeaders(parameters: readonly OperationParameter[], args: JsonObject): Outcome<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const parameter of parameters) {
    const value = sentValue(args, parameter.argument);
    if (parameter.place !== "header" || value === undefined) continue;
    const checked = checkHeader(parameter.name, toHeaderText(parameter, value));
    if (!checked.ok) return { ok: false, message: `Nothing was called: ${checked.message}` };
    headers[checked.value[0]] = checked.value[1];
  }
  return { ok: true, value: headers };
}

/** The body's value; undefined if it is optional and none of its arguments was sent. */
function readBody(body: OperationBody | undefined, args: JsonObject): Outcome<Json | undefined> {
  if (!body) return { ok: true, value: undefined };
  if (body.type === "whole") return { ok: true, value: args[body.argument] };
  const sent = body.fields.filter(({ argument }) => Object.hasOwn(args, argument));
  if (sent.length === 0) return { ok: true, value: body.required ? {} : undefined };
  const missing = body.fields.filter(({ argument, required }) => required && !Object.hasOwn(args, argument));
  if (missing.length > 0) {
    const names = missing.map(({ argument }) => argument).join(", ");
    return { ok: false, message: `Nothing was called. The body also requires: ${names}. Call again with these.` };
  }
  return { ok: true, value: Object.fromEntries(sent.map(({ argument, name }) => [name, args[argument] ?? null])) };
}

function valuesOf(parameters: readonly OperationParameter[], place: string, args: JsonObject): JsonObject {
  const sent = parameters.flatMap((parameter) => {
    const value = parameter.place === place ? sentValue(args, parameter.argument) : undefined;
    return value === undefined ? [] : [[parameter.name, value] as const];
  });
  return Object.fromEntries(sent);
}

type EncodedBody = { contentType: string; body: string | Uint8Array };

/** Encodes a value as a body of the media type: JSON, form, multipart with text fields, or plain text. */
async function encodeBody(mediaType: string, value: Json): Promise<EncodedBody> {
  const type = mediaType.toLowerCase();
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return { contentType: "application/x-www-form-urlencoded", body: new URLSearchParams(toPairs(value)).toString() };
  }
  if (type.startsWith("multipart/form-data")) return encodeMultipart(toPairs(value));
  if (type.includes("json")) return { contentType: mediaType, body: JSON.stringify(value) };
  return { contentType: type.includes("*") ? "text/plain" : mediaType, body: toPlainText(value) };
}

function toPairs(value: Json): [string, string][] {
  return Object.entries(toJsonObject(value)).flatMap(([name, member]) => toQueryPairs(name, member));
}

/** RFC 7578; the runtime chooses a boundary and escapes the names. */
async function encodeMultipart(pairs: readonly (readonly [string, string])[]): Promise<EncodedBody> {
  const form = new FormData();
  for (const [name, value] of pairs) form.append(name, value);
  const response = new Response(form);
  return {
    contentType: response.headers.get("content-type") ?? "multipart/form-data",
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

/** Query pairs of a value by its parameter's style: form, spaceDelimited, pipeDelimited or deepObject. */
function toQueryParameters(parameter: OperationParameter, value: Json): [string, string][] {
  const { name, style, explode, isJson } = parameter;
  if (isJson) return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null).map(toPlainText);
    if (explode) return items.map((item) => [name, item]);
    const separator = style === "spaceDelimited" ? " " : style === "pipeDelimited" ? "|" : ",";
    return [[name, items.join(separator)]];
  }
  if (value === null || typeof value !== "object") return [[name, toPlainText(value)]];
  const members = present(value);
  if (style === "deepObject") return members.map(([key, text]) => [`${name}[${key}]`, text]);
  return explode ? members : [[name, members.flat().join(",")]];
}

/** Encodes a value in the path by its parameter's style: simple, label or matrix (RFC 6570). */
function toPathSegment(parameter: OperationParameter, value: Json): Outcome<string> {
  const plain = isJsonObject(value) ? present(value).flat() : value;
  const encoded = encodePathValue(parameter.argument, parameter.isJson ? JSON.stringify(value) : plain);
  if (!encoded.ok || parameter.style === "simple") return encoded;
  if (parameter.style === "label") return { ok: true, value: `.${encoded.value}` };
  if (parameter.style === "matrix") {
    return { ok: true, value: `;${encodeURIComponent(parameter.name)}=${encoded.value}` };
  }
  return encoded;
}

/** A header's text: lists and objects in the `simple` style. */
function toHeaderText(parameter: OperationParameter, value: Json): string {
  if (parameter.isJson) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(toPlainText).join(",");
  return value !== null && typeof value === "object" ? present(value).flat().join(",") : toPlainText(value);
}

function present(value: JsonObject): [string, string][] {
  return Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([key, member]) => [key, toPlainText(member)]);
}
