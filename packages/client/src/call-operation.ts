import type { OperationDescription, RequestOptions } from "./operation.ts";
import { readEvents } from "./read-events.ts";
import { WeftApiError } from "./weft-api-error.ts";

export type ClientOptions = {
  /** Origin of the server, such as `http://localhost:3000`; a path before `/api` is kept. Empty: the page's own origin. */
  baseUrl: string;
  /** A token or an API key, or a function that gives the present one. Without it only open operations answer. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Default: the platform's own. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** Sends a request with the token. Resolves with a successful answer, throws `WeftApiError` for any other. */
export type Send = (path: string, init: RequestInit & { headers: Record<string, string> }) => Promise<Response>;

export function createConnection({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Send {
  const origin = baseUrl.replace(/(?<!\/)\/+$/, "");
  return async (path, init) => {
    const bearer = typeof token === "function" ? await token() : token;
    const authorization = bearer === undefined ? undefined : { authorization: `Bearer ${bearer}` };
    const response = await fetch(`${origin}${path}`, { ...init, headers: { ...authorization, ...init.headers } });
    if (!response.ok) throw new WeftApiError(response, await response.text());
    return response;
  };
}

/** What an operation is called with. */
export type Call = { params: Record<string, unknown>; body: unknown; options: RequestOptions };

/** Makes one request of an operation and reads its answer. */
export async function callOperation(send: Send, operation: OperationDescription, call: Call): Promise<unknown> {
  const { params, body, options } = call;
  const response = await send(toPath(operation, params, options), {
    method: operation.method,
    headers: toHeaders(operation, call),
    ...(options.signal !== undefined && { signal: options.signal }),
    ...(body !== undefined && { body: toRequestBody(operation, body) }),
  });
  options.onResponse?.(response);
  return readAnswer(operation.answer, response);
}

/** The arguments of a client's function: parameters and body where the operation has them, then options. */
export function toCall(operation: OperationDescription, args: readonly unknown[]): Call {
  const rest = [...args];
  const hasParams = operation.path.includes("{") || operation.query !== undefined;
  const params = (hasParams ? rest.shift() : undefined) ?? {};
  const body = operation.body === undefined ? undefined : rest.shift();
  return { params: params as Record<string, unknown>, body, options: (rest[0] ?? {}) as RequestOptions };
}

function toPath(operation: OperationDescription, params: Record<string, unknown>, options: RequestOptions): string {
  const { path, query = [], queryOptions = [] } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  const given = { ...params, ...Object.fromEntries(queryOptions.map((name) => [name, Reflect.get(options, name)])) };
  for (const name of [...query, ...queryOptions]) {
    for (const value of [Reflect.get(given, name)].flat()) {
      if (value !== undefined && value !== null) search.append(name, String(value));
    }
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function isForm(operation: OperationDescription, body: unknown): boolean {
  return operation.body === "multipart" || body instanceof FormData;
}

function toRequestBody(operation: OperationDescription, body: unknown): NonNullable<RequestInit["body"]> {
  if (body instanceof Blob) return body;
  return isForm(operation, body) ? toForm(body) : JSON.stringify(body);
}

function toHeaders(operation: OperationDescription, { body, options }: Call): Record<string, string> {
  const given = options as Record<string, unknown>;
  const named = Object.entries(operation.headers ?? {}).flatMap(([option, header]) =>
    given[option] === undefined ? [] : [[header, String(given[option])]],
  );
  const isJson = body !== undefined && !(body instanceof Blob) && !isForm(operation, body);
  return { ...(isJson && { "content-type": "application/json" }), ...Object.fromEntries(named), ...options.headers };
}

/** A form that is made already is sent as it is; of an object each value, and each of a list, is a field. */
function toForm(body: unknown): FormData {
  if (body instanceof FormData) return body;
  const form = new FormData();
  for (const [name, values] of Object.entries(body as Record<string, unknown>)) {
    for (const value of [values].flat()) {
      if (value instanceof Blob) form.append(name, value);
      else if (value !== undefined) form.append(name, String(value));
    }
  }
  return form;
}

async function readAnswer(kind: OperationDescription["answer"], response: Response): Promise<unknown> {
  switch (kind) {
    case "json":
      return response.json();
    case "text":
      return response.text();
    case "blob":
      return response.blob();
    case "events":
      return readEvents(response);
    case "none":
      await response.arrayBuffer();
      return undefined;
  }
}
