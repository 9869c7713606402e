import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import { WeftError } from "@weft/schema";
import { createLines, type Place } from "@weft/workers";
import { Hono } from "hono";
import { toErrorResponse, toWeftError } from "./answer/to-error-response.ts";
import { assertMatches, completeHeaders, toResponse } from "./answer/to-response.ts";
import { assertUncompressed, readBodyBytes, readBodyPieces } from "./body/read-body.ts";
import { toClientAddress } from "./connection-guard.ts";
import { type Cors, createCors } from "./cors.ts";
import { type HostCheck, unknownHost } from "./host-check.ts";
import type { Logger } from "./logger.ts";
import { type Auditor, audited, noteRefusal } from "./route/audit.ts";
import { type ConfirmSave, handleSave } from "./route/confirm.ts";
import type { HttpMethod, Route, RouteRequest, Visited } from "./route/define-route.ts";
import type { Connection, Exchange } from "./route/exchange.ts";
import { createIdempotency, type Idempotency, type IdempotencyStore } from "./route/idempotency.ts";
import { type Identity, reachesAgent, reachOf } from "./route/identity.ts";
import { type Parsed, type ParseRequestDeps, parseRequest } from "./route/parse-request.ts";
import { createRouteTable, type RouteTable } from "./route/route-table.ts";
import { keepSession } from "./route/session-cookie.ts";
import { createStanding, type Recheck, type Standing } from "./route/standing.ts";

/** The API as a function from requests to responses: served by `listen`, called directly by tests. */
export type HttpApp = {
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** The answer to input that never became a request, such as malformed HTTP. */
  refuse(error: WeftError): Response;
};

export type HttpAppDeps = Omit<ParseRequestDeps, "lines"> & {
  routes: readonly Route[];
  logger: Logger;
  ids: IdSource;
  clock: WallClock;
  /** Proxies before the server whose X-Forwarded-For is trusted. Default 0: none. */
  trustedProxyHops?: number;
  /** Remembers requests with an Idempotency-Key. Absent: the header is ignored. */
  idempotency?: IdempotencyStore;
  /** Looks again at the callers of streams that go on. Absent: nobody does. */
  recheck?: Recheck;
  /** Keeps the audit log. Absent: nobody does. */
  auditor?: Auditor;
  /** For routes with `confirms`. Absent: nothing is confirmed. */
  confirmSave?: ConfirmSave;
  /** Whether a request may name its host. Default: any. Files, and routes that opt in, are served under every name. */
  isHostServed?: HostCheck;
  /** How long browsers may use only HTTPS for this host, in seconds; 0: no header. */
  hstsSeconds?: number;
  /** Answers GET and HEAD of paths without a route, outside `/api/`: the builder's files. */
  serveFile?(request: Request): Promise<Response | undefined>;
};

type Server = Omit<HttpAppDeps, "idempotency"> &
  ParseRequestDeps & {
    table: RouteTable;
    cors: Cors;
    idempotency: Idempotency | undefined;
    standing: Standing | undefined;
  };

/**
 * Builds the application. Each request passes the same stages in this order: route, identity and permission, the gate
 * of chat clients, path and query, body, handler, answer. Any failure answers the error body. Throws when routes
 * contradict each other.
 */
export function createHttpApp(deps: HttpAppDeps): HttpApp {
  const table = createRouteTable(deps.routes);
  const idempotency = deps.idempotency && createIdempotency(deps.idempotency, deps.ids);
  const cors = createCors(deps.gate, table);
  const standing = deps.recheck && createStanding(deps.recheck);
  const server: Server = { ...deps, table, cors, idempotency, standing, lines: createLines() };
  const hono = new Hono<{ Bindings: Connection }>({ strict: false });
  for (const { route, methods, routerPath } of table.routes) {
    hono.on(methods, routerPath, ({ req, env }) => {
      const exchange = begin(server, { request: req.raw, connection: env, path: req.path, route });
      return settle(server, exchange, () => answerRouted(server, exchange, { route, params: req.param() }));
    });
  }
  hono.notFound(({ req, env }) => {
    const exchange = begin(server, { request: req.raw, connection: env, path: req.path });
    return settle(server, exchange, () => cors.answerPreflight(exchange) ?? answerUnrouted(server, exchange));
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

async function answerRouted(server: Server, exchange: Exchange, matched: Matched): Promise<Response> {
  try {
    return await answer(server, exchange, matched);
  } catch (error) {
    const { caller: identity, requestId } = exchange;
    const address = clientAddressOf(server, exchange);
    noteRefusal(server.auditor, { ...matched, identity, requestId, address }, error);
    throw error;
  }
}

async function answer(server: Server, exchange: Exchange, matched: Matched): Promise<Response> {
  const { request, requestId } = exchange;
  const { route } = matched;
  assertHost(server, exchange, route);
  const clientAddress = () => clientAddressOf(server, exchange);
  const parsed = await parseRequest(server, exchange, { ...matched, clientAddress });
  const { params, query, body, identity } = parsed;
  const unreached = keepToAgents(route, identity, params);
  const context = { route, request, requestId };
  const { bodyLimitBytes, confirmSave } = server;
  const visited = exchange.visit?.visited();
  const toRequest = (newId?: string) =>
    createRouteRequest({ ...context, clientAddress, bodyLimitBytes, parsed: { ...parsed, newId }, visited });
  const handle = async (asked: ReturnType<typeof toRequest>) =>
    route.confirms === undefined ? route.handle(asked) : handleSave(route, asked, confirmSave);
  const respond = async (newId?: string) => {
    const source = () => ({ ...parsed, newId, requestId, address: clientAddress() });
    const run = () => handle(toRequest(newId));
    const value = unreached ? unreached.answer : await audited(server.auditor, route, { source, run });
    return toResponse(keepSession(route.session, value, exchange), context);
  };
  const recall = async (id: string) => {
    // It waits for the request that it repeats, without blocking others meanwhile.
    parsed.place?.leave();
    const value = await route.recall?.(id, toRequest(id));
    return value === undefined ? undefined : toResponse(value, context);
  };
  const idempotency = request.headers.has("idempotency-key") ? server.idempotency : undefined;
  const content = [params, query, body];
  try {
    const response = await (idempotency
      ? idempotency.respond({ ...context, identity, clientAddress, content, respond, recall })
      : respond());
    if (identity !== undefined) server.standing?.follow(response, { identity, route });
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

/** Runs the stages; turns exceptions into an answer; logs the exchange. Never rejects. */
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
    return await complete(server, exchange, withoutBodyOfHead(response, request));
  } finally {
    await exchange.receiver
      ?.release()
      .catch((cause) => server.logger.error("files-not-released", { requestId, cause }));
  }
}

/** Adds the headers left by the stages, and those that let pages of other origins read the answer. */
async function complete(server: Server, exchange: Exchange, response: Response): Promise<Response> {
  const shared = exchange.request.headers.has("origin") ? await server.cors.toSharingHeaders(exchange) : {};
  const headers = { ...exchange.headers, ...shared };
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

type Source = {
  request: Request;
  requestId: string;
  clientAddress(): string;
  route: Route;
  /** The server's. */
  bodyLimitBytes: number;
  parsed: Parsed;
  visited: Visited | undefined;
};

function createRouteRequest(source: Source): Parameters<Route["handle"]>[0] {
  return new ParsedRequest(source) as Parameters<Route["handle"]>[0];
}

/** A class, because `url` and `signal` are costly and created on demand: most handlers never use them. */
class ParsedRequest implements RouteRequest {
  readonly identity: Identity | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly newId: string | undefined;
  readonly place: Place | undefined;
  readonly visited: Visited | undefined;
  readonly requestId: string;
  readonly assertMatches: (current: unknown) => void;
  readonly readBytes: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly readPieces: (limitBytes: number) => AsyncIterable<Uint8Array>;
  readonly #request: Request;
  readonly #clientAddress: () => string;

  constructor({ request, requestId, clientAddress, route, bodyLimitBytes, parsed, visited }: Source) {
    this.identity = parsed.identity;
    this.params = parsed.params;
    this.query = parsed.query;
    this.body = parsed.body;
    this.newId = parsed.newId;
    this.place = parsed.place;
    this.visited = visited;
    this.requestId = requestId;
    this.#request = request;
    this.#clientAddress = clientAddress;
    this.readBytes = async () => {
      assertUncompressed(request.headers);
      return readBodyBytes(request, Math.min(bodyLimitBytes, route.bodyLimitBytes ?? bodyLimitBytes));
    };
    this.readPieces = (limitBytes) => {
      assertUncompressed(request.headers);
      return readBodyPieces(request, limitBytes);
    };
    this.assertMatches = (current) => assertMatches(route, request, current);
  }

  get method(): HttpMethod | "HEAD" {
    return this.#request.method as HttpMethod | "HEAD";
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  get clientAddress(): string {
    return this.#clientAddress();
  }

  get url(): URL {
    return new URL(this.#request.url);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/** The answer to a request for an agent beyond the reach of its API key, which is not handled. */
type Unreached = { answer: unknown };

/**
 * Confines API keys that are limited to agents. Undefined if the request may be handled. Throws `not-found` for a
 * foreign agent, as for an unknown one, and `forbidden` for operations that are not about one of the key's agents.
 */
function keepToAgents(route: Route, identity: Identity | undefined, params: unknown): Unreached | undefined {
  const reach = reachOf(identity);
  if (reach.agents === "all" || route.agent === "reach") return undefined;
  if (route.agent === undefined) {
    if (!isAboutAgents(route)) return undefined;
    throw new WeftError("forbidden", { params: { permission: "" }, message: notAboutOne });
  }
  const { param, resource = "agent", unknown } = route.agent;
  const id = String((params as Record<string, unknown>)[param]);
  if (reachesAgent(reach.agents, id)) return undefined;
  if (unknown === undefined) throw new WeftError("not-found", { params: { resource, id } });
  return { answer: unknown() };
}

function isAboutAgents({ permission: access }: Route): boolean {
  const permission = typeof access === "string" ? access : access.permission;
  return /^(agents|assistants|audit|installation|privacy|people|settings):/.test(permission);
}

const notAboutOne =
  "This API key is limited to agents, and this operation is not about one of them. Use a key without that limit.";
