import { WeftError } from "@weft/schema";
import { completeHeaders } from "./answer/to-response.ts";
import type { Exchange } from "./route/exchange.ts";
import type { Gate } from "./route/gate.ts";
import { readQuery } from "./route/parse-request.ts";
import type { RouteTable } from "./route/route-table.ts";

const requestHeaders =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-API-Key";
const responseHeaders =
  "ETag, X-Request-Id, Retry-After, Idempotent-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";

/** How long a browser may cache a preflight answer: allowed origins can change. */
const maxAgeSeconds = 600;

/** Decides which pages of other origins may read what. Browsers send them no cookies (`session-cookie.ts`). */
export type Cors = {
  /**
   * The answer to a preflight; undefined for any other request. Rejects with `path-unknown`, and with
   * `forbidden-origin` for a page that may not send the request. If only the body names the agent, the request itself
   * is rejected instead.
   */
  answerPreflight(exchange: Exchange): Promise<Response> | undefined;
  /** Headers that let the requesting page read the answer; none if it may not. */
  toSharingHeaders(exchange: Exchange): Promise<Record<string, string>>;
};

/** Source: the Fetch standard, "CORS protocol". */
export function createCors(gate: Gate | undefined, table: RouteTable): Cors {
  /** The operator lets the origin use everything, or the agent lets it read answers of its own. */
  async function isShared({ visit }: Exchange, origin: string): Promise<boolean> {
    return gate?.trusts(origin) === true || (await visit?.isReadBy(origin)) === true;
  }

  async function answer(exchange: Exchange): Promise<Response> {
    const { request, path } = exchange;
    const methods = table.allowedMethods(path);
    if (methods.length === 0) throw new WeftError("path-unknown", { params: { path: path.slice(0, 200) } });
    const method = request.headers.get("access-control-request-method") ?? "";
    const { route, params = {} } = table.find(method, path) ?? {};
    if (typeof route?.permission === "object") {
      const raw = { method, params, query: readQuery(request.url), body: async () => undefined };
      exchange.visit = gate?.visit(route.permission, raw);
    }
    const origin = request.headers.get("origin") ?? "";
    const isDecidedLater = await exchange.visit?.isUndecided();
    if (!isDecidedLater && !(await isShared(exchange, origin))) throw forbiddenOrigin(origin);
    const headers = {
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Methods": methods.join(", "),
      "Access-Control-Allow-Headers": requestHeaders,
      "Access-Control-Max-Age": String(maxAgeSeconds),
    };
    return completeHeaders(new Response(null, { status: 204, headers }), exchange.requestId);
  }

  return {
    answerPreflight: (exchange) => (isPreflight(exchange.request) ? answer(exchange) : undefined),
    async toSharingHeaders(exchange) {
      const origin = exchange.request.headers.get("origin");
      if (origin === null || !(await isShared(exchange, origin))) return {};
      return { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": responseHeaders };
    },
  };
}

/** Whether a browser asks if a page may send a request. */
function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}

/** `message`: default the catalogue's. */
export function forbiddenOrigin(origin: string, message?: string): WeftError {
  return new WeftError("forbidden-origin", {
    params: { origin: origin.slice(0, 200) },
    ...(message !== undefined && { message }),
  });
}
