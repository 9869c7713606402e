import type { Json, JsonObject, JsonSchema } from "@weft/schema";
import { addQuery } from "../build-url.ts";
import type { HttpCall } from "../call-http.ts";
import { checkArguments, isAbsent } from "../check-arguments.ts";
import { checkHeader } from "../headers.ts";
import type { Outcome } from "../outcome.ts";
import type { CompiledOperation, OperationBody } from "./compile-operation.ts";
import { encodeBody } from "./encode-body.ts";
import type { OperationParameter } from "./operation-parameters.ts";
import { asObject } from "./resolve-reference.ts";
import { toHeaderText, toPathSegment, toQueryParameters } from "./serialize-parameter.ts";

/** A call, and the values it was made of as custom code sees them. */
export type OperationCall = HttpCall & {
  pathParameters: JsonObject;
  queryParameters: JsonObject;
  requestBody: Json | undefined;
};

export type OperationTarget = { operation: CompiledOperation; server: string; headers: Record<string, string> };

/** Makes the call that the arguments ask for, or says in words why they do not fit. */
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

/** What the model may send, in the order of the document. A body's fields are required when the body is. */
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
  return type === "null" || (Array.isArray(anyOf) && anyOf.some((member) => asObject(member).type === "null"));
}

function buildAddress({ operation, server }: OperationTarget, args: JsonObject) {
  let { path } = operation;
  const query: [string, string][] = [];
  for (const parameter of operation.parameters) {
    if (isAbsent(args, parameter.argument)) continue;
    const value = args[parameter.argument] as Json;
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
    if (parameter.place !== "header" || isAbsent(args, parameter.argument)) continue;
    const checked = checkHeader(parameter.name, toHeaderText(parameter, args[parameter.argument] as Json));
    if (!checked.ok) return { ok: false, message: `Nothing was called: ${checked.message}` };
    headers[checked.value[0]] = checked.value[1];
  }
  return { ok: true, value: headers };
}

/** The body's value; nothing when it is optional and no argument of it was sent. */
function readBody(body: OperationBody | undefined, args: JsonObject): Outcome<Json | undefined> {
  if (!body) return { ok: true, value: undefined };
  if (body.type === "whole") return { ok: true, value: args[body.argument] };
  const sent = body.fields.filter(({ argument }) => Object.hasOwn(args, argument));
  if (sent.length === 0) return { ok: true, value: body.required ? {} : undefined };
  const missing = body.fields.filter(({ argument, required }) => required && !Object.hasOwn(args, argument));
  if (missing.length > 0) {
    const names = missing.map(({ argument }) => argument).join(", ");
    return { ok: false, message: `Nothing was called. The body also needs: ${names}. Call again with these.` };
  }
  return { ok: true, value: Object.fromEntries(sent.map(({ argument, name }) => [name, args[argument] as Json])) };
}

function valuesOf(parameters: readonly OperationParameter[], place: string, args: JsonObject): JsonObject {
  const sent = parameters.filter((parameter) => parameter.place === place && !isAbsent(args, parameter.argument));
  return Object.fromEntries(sent.map(({ argument, name }) => [name, args[argument] as Json]));
}
