import type { Clock, IdSource } from "@weft/engine";
import { WeftError } from "@weft/schema";
import { Hono } from "hono";
import type { Logger } from "../logger.ts";
import { type Authenticate, authorise } from "./authorise.ts";
import { createRouteRequest } from "./create-route-request.ts";
import type { Route } from "./define-route.ts";
import { readJsonBody } from "./read-json-body.ts";
import { readQuery } from "./read-query.ts";
import { createRouteTable, type RouteTable, toRouterPath } from "./route-table.ts";
import { toErrorResponse, toWeftError } from "./to-error-response.ts";
import { toResponse } from "./to-response.ts";
import { parseBody, parseParams, parseQuery } from "./validation.ts";

/** The API as a function from requests to responses: served by `listen`, called directly by tests. */
export type HttpApp = {
  fetch(request: Request): Promise<Response>;
  /** The answer to something that never became a request, such as malformed HTTP. */
  refuse(error: WeftError): Response;
};

export type HttpAppDeps = {
  routes: readonly Route[];
  authenticate: Authenticate;
  /** Largest body of a request, in bytes. */
  bodyLimitBytes: number;
  logger: Logger;
  ids: IdSource;
  clock: Pick<Clock, "now">;
  /** Answers GET and HEAD of paths that no route has, outside `/api/`: the builder's files. */
  serveFile?(request: Request): Promise<Response | undefined>;
};

/** One request on its way: what every stage needs. */
type Exchange = {
  request: Request;
  requestId: string;
  startedAtMs: number;
  path: string;
  route?: Route;
};

/**
 * Builds the application. Each request passes the same stages in this order: route, identity and permission, path and
 * query, body, handler, answer. Whatever fails answers the error body. Throws when routes contradict each other.
 */
export function createHttpApp(deps: HttpAppDeps): HttpApp {
  const table = createRouteTable(deps.routes);
  const hono = new Hono({ strict: false });
  for (const route of table.routes) {
    hono.on(route.method, toRouterPath(route.path), ({ req }) => {
      const exchange = begin(deps, { request: req.raw, path: req.path, route });
      return settle(deps, exchange, () => answer(deps, exchange, { route, params: req.param() }));
    });
  }
  hono.notFound(({ req }) => {
    const exchange = begin(deps, { request: req.raw, path: req.path });
    return settle(deps, exchange, () => answerUnrouted(deps, exchange, table));
  });
  return {
    fetch: async (request) => hono.fetch(request),
    refuse: (error) => toErrorResponse(error, { requestId: deps.ids.uuid(), path: "", accept: null }),
  };
}

function begin({ ids, clock }: HttpAppDeps, known: Pick<Exchange, "request" | "path" | "route">): Exchange {
  return { ...known, requestId: ids.uuid(), startedAtMs: clock.now() };
}

type Matched = { route: Route; params: Record<string, string> };

async function answer(deps: HttpAppDeps, exchange: Exchange, { route, params }: Matched): Promise<Response> {
  const { request, requestId } = exchange;
  const authorization = request.headers.get("authorization");
  const identity = await authorise({ route, authorization, params, authenticate: deps.authenticate });
  assertDecodable(request.url);
  const parsed = {
    identity,
    params: parseParams(route, params),
    query: parseQuery(route, readQuery(request.url)),
    body: await readBody(route, request, deps.bodyLimitBytes),
  };
  const value = await route.handle(createRouteRequest({ request, requestId, route, parsed }));
  return withoutBodyOfHead(toResponse(value, { route, request, requestId }), request);
}

async function readBody(route: Route, request: Request, serverLimitBytes: number): Promise<unknown> {
  if (route.body === undefined) return undefined;
  const limitBytes = Math.min(serverLimitBytes, route.bodyLimitBytes ?? serverLimitBytes);
  return parseBody(route, await readJsonBody(request, limitBytes));
}

async function answerUnrouted(deps: HttpAppDeps, exchange: Exchange, table: RouteTable): Promise<Response> {
  const { request, path } = exchange;
  const allowed = table.allowedMethods(path);
  if (allowed.length > 0) throw new MethodNotAllowed(request.method, path, allowed);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && !/^\/api(\/|$)/.test(path)) {
    const file = await deps.serveFile?.(request);
    if (file !== undefined) return file;
  }
  throw new WeftError("path-unknown", { params: { path: path.slice(0, 200) } });
}

class MethodNotAllowed extends WeftError {
  readonly allow: string;

  constructor(method: string, path: string, allowed: readonly string[]) {
    super("method-not-allowed", { params: { method, path: path.slice(0, 200), allowed: allowed.join(", ") } });
    this.allow = allowed.join(", ");
  }
}

/** Runs the stages; turns what they throw into an answer; logs the exchange. Never rejects. */
async function settle(deps: HttpAppDeps, exchange: Exchange, run: () => Promise<Response>): Promise<Response> {
  try {
    const response = await run();
    log(deps, exchange, { status: response.status });
    return response;
  } catch (thrown) {
    const { request, requestId, path, route } = exchange;
    const error = toWeftError(thrown);
    const response = toErrorResponse(error, {
      route,
      requestId,
      path,
      accept: request.headers.get("accept"),
      ...(error instanceof MethodNotAllowed && { headers: { Allow: error.allow } }),
    });
    log(deps, exchange, { status: response.status, error });
    return withoutBodyOfHead(response, request);
  }
}

function log(
  { logger, clock }: HttpAppDeps,
  exchange: Exchange,
  { status, error }: { status: number; error?: WeftError },
) {
  const { requestId, route, request, startedAtMs } = exchange;
  const level = status >= 500 ? "error" : request.method === "GET" || request.method === "HEAD" ? "debug" : "info";
  if (!logger.isEnabled(level)) return;
  logger[level]("request-answered", {
    requestId,
    method: request.method,
    route: route?.path,
    status,
    durationMs: clock.now() - startedAtMs,
    code: error?.code,
    cause: status >= 500 ? error : undefined,
  });
}

function withoutBodyOfHead(response: Response, request: Request): Response {
  if (request.method !== "HEAD") return response;
  void response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

/** Percent-encodings in path and query must be those of UTF-8 text. */
function assertDecodable(url: string): void {
  if (!url.includes("%")) return;
  try {
    decodeURIComponent(url);
  } catch (cause) {
    const reason = "The address has a percent-encoding that is not UTF-8 text. Encode it with %25 for a percent sign.";
    throw new WeftError("parameters-invalid", { params: { reason }, cause });
  }
}
