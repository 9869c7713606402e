import type { ApiAnswer } from "../api-document.ts";
import type { FuzzBody } from "./broken-body.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import type { KnownIds } from "./known-ids.ts";

/** A request in its final form. */
export type FinalRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
};

/** A request that takes longer hangs. */
const timeoutMs = 10_000;

/** Fills in known ids and the caller's credentials. */
export function finish(request: FuzzRequest, ids: KnownIds, authorization: string | undefined): FinalRequest {
  const { body } = request;
  const path = request.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    toSegment(ids.fill(request.params[name] ?? "", request.path)),
  );
  const query = request.query.map(([name, value]) => `${encode(name)}=${encode(ids.fill(value, request.path))}`);
  return {
    method: request.method,
    path: query.length === 0 ? path : `${path}?${query.join("&")}`,
    headers: {
      ...request.headers,
      ...(authorization !== undefined && { authorization }),
      ...(body?.contentType !== undefined && { "content-type": body.contentType }),
    },
    body: typeof body?.content === "string" ? ids.fill(body.content, request.path) : bytesOf(body),
  };
}

/** Sends and reads the whole answer. Rejects when that takes too long. */
export async function send(
  request: FinalRequest,
  fetch: (request: Request) => Promise<Response>,
  origin: string,
): Promise<ApiAnswer> {
  const { method, path, headers, body } = request;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    const init = { method, headers, ...(body !== undefined && { body }) };
    const response = await Promise.race([fetch(new Request(`${origin}${path}`, init)), late.promise]);
    const text = await Promise.race([response.text(), late.promise]);
    return { status: response.status, contentType: response.headers.get("content-type"), text };
  } finally {
    clearTimeout(timer);
  }
}

/** A command that sends the request again. */
export function toCurl({ method, path, headers, body }: FinalRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const shown = Object.entries(headers).map(([name, value]) =>
    quote(`${name}: ${name === "authorization" && value.length > 20 ? "Bearer $TOKEN" : value}`),
  );
  const data = typeof body === "string" ? quote(body) : body && `$'${[...body].map(toEscape).join("")}'`;
  const parts = ["curl -i -X", method, quote(`http://127.0.0.1:3000${path}`), ...shown.map((header) => `-H ${header}`)];
  return data === undefined ? parts.join(" ") : `${parts.join(" ")} --data-binary ${data}`;
}

function toEscape(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, "0")}`;
}

function bytesOf(body: FuzzBody | undefined): Uint8Array<ArrayBuffer> | undefined {
  return body === undefined || typeof body.content === "string" ? undefined : body.content;
}

/** A lone percent sign stays as it is: it is a mistake of its own. Dots, or nothing, would name another path. */
function toSegment(text: string): string {
  if (text === "%") return text;
  return /^\.{0,2}$/.test(text) ? "-" : encode(text);
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
