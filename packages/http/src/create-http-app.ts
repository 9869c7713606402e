import type { Clock, IdSource } from "@weft/engine";
import { WeftError } from "@weft/schema";
import { createLines } from "@weft/workers";
import { Hono } from "hono";
import { createChatClientGate } from "./access/chat-client-gate.ts";
import { answerPreflight, type CorsDeps, isPreflight, toSharingHeaders } from "./access/cors.ts";
import { toErrorResponse, toWeftError } from "./answer/to-error-response.ts";
import { completeHeaders, toResponse } from "./answer/to-response.ts";
import { toClientAddress } from "./client-address.ts";
import { type HostCheck, unknownHost } from "./host-check.ts";
import type { Logger } from "./logger.ts";
import { createRouteRequest } from "./route/create-route-request.ts";
import type { Route } from "./route/define-route.ts";
import type { Connection, Exchange } from "./route/exchange.ts";
import { createIdempotency, type Idempotency, type IdempotencyStore } from "./route/idempotency.ts";
import { keepToAgents } from "./route/limited-keys.ts";
import { type ParseRequestDeps, parseRequest } from "./route/parse-request.ts";
import { createRouteTable, methodsOf, type RouteTable, toRouterPath } from "./route/route-table.ts";

/** The API as a function from requests to responses: served by `listen`, called directly by tests. */
export type HttpApp = {
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** The answer to something that never became a request, such as malformed HTTP. */
  refuse(error: WeftError): Response;
};

export type HttpAppDeps = Omit<ParseRequestDeps, "gate" | "lines"> &
  CorsDeps & {
    routes: readonly Route[];
    logger: Logger;
    ids: IdSource;
    clock: Pick<Clock, "now">;
    /** Proxies before the server whose X-Forwarded-For is believed. Default 0: nobody's is. */
    trustedProxyHops?: number;
    /** Remembers requests with an Idempotency-Key. Absent: the header is ignored. */
    idempotency?: IdempotencyStore;
    /** Whether a request may name its host. Default: any. Files, and routes that say so, are served under every name. */
    isHostServed?: HostCheck;
    /** How long browsers may use nothing but HTTPS for this host, in seconds; 0: not said. */
    hstsSeconds?: number;
    /** Answers GET and HEAD of paths that no route has, outside `/api/`: the builder's files. */
    serveFile?(request: Request): Promise<Response | undefined>;
  };

type Server = Omit<HttpAppDeps, "idempotency"> &
  ParseRequestDeps & { table: RouteTable; idempotency: Idempotency | undefined };

/**
 * Builds the application. Each request passes the same stages in this order: route, identity and permission, the gate
 * of chat clients, path and query, body, handler, answer. Whatever fails answers the error body. Throws when routes
 * contradict each other.
 */
export function createHttpApp(deps: HttpAppDeps): HttpApp {
  const table = createRouteTable(deps.routes);
  const idempotency = deps.idempotency && createIdempotency(deps.idempotency, deps.ids);
  const gate = createChatClientGate(deps.clock, deps.agentPolicies?.openLimit);
  const server: Server = { ...deps, table, idempotency, gate, lines: createLines() };
  const hono = new Hono<{ Bindings: Connection }>({ strict: false });
  for (const route of table.routes) {
    hono.on(methodsOf(route.method), toRouterPath(route.path), ({ req, env }) => {
      const exchange = begin(server, { request: req.raw, connection: env, path: req.path, route });
      return settle(server, exchange, () => answer(server, exchange, { route, params: req.param() }));
    });
  }
  hono.notFound(({ req, env }) => {
    const exchange = begin(server, { request: req.raw, connection: env, path: req.path });
    return settle(server, exchange, () =>
      isPreflight(req.raw) ? answerPreflight(server, table, exchange) : answerUnrouted(server, exchange),
    );
  });
  return {
    fetch: async (request, connection = {}) => hono.fetch(request, connection),
    refuse: (error) => toErrorResponse(error, { requestId: deps.ids.uuid(), path: "", accept: null }),
  };
}

function begin(
  { ids, clock }: Server,
  known: Pick<Exchange, "request" | "connection" | "path"> & { route?: Route },
): Exchange {
  return { ...known, requestId: ids.uuid(), startedAtMs: clock.now(), headers: {} };
}

type Matched = { route: Route; params: Record<string, string> };

async function answer(server: Server, exchange: Exchange, matched: Matched): Promise<Response> {
  const { request, requestId } = exchange;
  const { route } = matched;
  assertHost(server, exchange, route);
  const clientAddress = () => clientAddressOf(server, exchange);
  const parsed = await parseRequest(server, exchange, { ...matched, clientAddress });
  const { params, query, body, identity } = parsed;
  const unreached = keepToAgents(route, identity, params);
  const context = { route, request, requestId };
  const { bodyLimitBytes } = server;
  const toRequest = (newId?: string) =>
    createRouteRequest({ ...context, clientAddress, bodyLimitBytes, parsed: { ...parsed, newId } });
  const respond = async (newId?: string) =>
    toResponse(unreached === undefined ? await route.handle(toRequest(newId)) : unreached.answer, context);
  const recall = async (id: string) => {
    // It waits for the request that it repeats, and stands in nobody's way meanwhile.
    parsed.place?.leave();
    const value = await route.recall?.(id, toRequest(id));
    return value === undefined ? undefined : toResponse(value, context);
  };
  const content = [params, query, body];
  const repeatable = { ...context, identity, clientAddress, content, respond, recall };
  const { idempotency } = server;
  try {
    const response = await (idempotency === undefined ? respond() : idempotency.respond(repeatable));
    return withoutBodyOfHead(response, request);
  } finally {
    parsed.place?.leave();
  }
}

function assertHost({ isHostServed }: Server, { request }: Exchange, { servesAnyHost }: Route): void {
  const host = request.headers.get("host");
  const authorization = request.headers.get("authorization");
  if (servesAnyHost || isHostServed === undefined || isHostServed({ host, authorization })) return;
  throw unknownHost(host ?? "");
}

function clientAddressOf({ trustedProxyHops = 0 }: Server, { request, connection }: Exchange): string {
  const forwardedFor = request.headers.get("x-forwarded-for");
  return toClientAddress({ remoteAddress: connection.remoteAddress, forwardedFor, trustedHops: trustedProxyHops });
}

async function answerUnrouted({ table, serveFile }: Server, exchange: Exchange): Promise<Response> {
  const { request, path } = exchange;
  const allowed = table.allowedMethods(path).join(", ");
  if (allowed !== "") {
    throw new WeftError("method-not-allowed", {
      params: { method: request.method, path: path.slice(0, 200), allowed },
    });
  }
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && !/^\/api(\/|$)/.test(path)) {
    const file = await serveFile?.(request);
    if (file !== undefined) return withoutBodyOfHead(completeHeaders(file, exchange.requestId), request);
  }
  throw new WeftError("path-unknown", { params: { path: path.slice(0, 200) } });
}

/** Runs the stages; turns what they throw into an answer; logs the exchange. Never rejects. */
async function settle(server: Server, exchange: Exchange, run: () => Promise<Response>): Promise<Response> {
  const { request, requestId, path, route } = exchange;
  try {
    const response = await run();
    log(server, exchange, { status: response.status });
    return await complete(server, exchange, response);
  } catch (thrown) {
    const error = toWeftError(thrown);
    const accept = request.headers.get("accept");
    const response = toErrorResponse(error, { route, requestId, path, accept });
    log(server, exchange, { status: response.status, error });
    return complete(server, exchange, withoutBodyOfHead(response, request));
  }
}

/** Adds what the stages left for the answer, and for pages of other origins what lets them read it. */
async function complete(server: Server, exchange: Exchange, response: Response): Promise<Response> {
  const headers = { ...exchange.headers, ...(await toSharingHeaders(server, exchange)) };
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  if (server.hstsSeconds) response.headers.set("Strict-Transport-Security", `max-age=${server.hstsSeconds}`);
  return response;
}

function log({ logger, clock }: Server, exchange: Exchange, { status, error }: { status: number; error?: WeftError }) {
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
