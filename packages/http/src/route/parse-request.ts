import { type ErrorItem, isJsonObject, WeftError } from "@weft/schema";
import type { Lines, Place } from "@weft/workers";
import type { z } from "zod";
import { readJsonBody } from "../body/read-body.ts";
import { inMemory, isMultipart, readMultipartBody } from "../body/read-multipart-body.ts";
import { type Route, refusedQuery } from "./define-route.ts";
import type { Connection, Exchange } from "./exchange.ts";
import type { Gate } from "./gate.ts";
import { type Identity, isGranted, type Permission } from "./identity.ts";
import { readAuthorization } from "./session-cookie.ts";

/** Identifies the sender of a request by its Authorization header. Throws `unauthenticated` if it proves nobody. */
export type Authenticate = (authorization: string | null, how?: ProofOptions) => Identity | Promise<Identity>;

/** `trustsLastProof`: see `RouteDefinition`. */
export type ProofOptions = { trustsLastProof: boolean };

export type ParseRequestDeps = {
  authenticate: Authenticate;
  /** Largest body of a request, in bytes. */
  bodyLimitBytes: number;
  gate?: Gate;
  /** Requests whose order matters, until their sender is known. */
  lines: Lines;
};

export type RoutedRequest = {
  route: Route;
  params: Record<string, string>;
  clientAddress(): string;
};

export type Parsed = {
  identity: Identity | undefined;
  params: unknown;
  query: unknown;
  body: unknown;
  /** The body before its schema. */
  sent: unknown;
  place: Place | undefined;
  newId?: string | undefined;
};
/** The stages from identity and permission, through the gate of chat clients, to path, query and body. */
export async function parseRequest(
  deps: ParseRequestDeps,
  exchange: Exchange,
  { route, params, clientAddress }: RoutedRequest,
): Promise<Parsed> {
  const { request } = exchange;
  const query = readQuery(request.url);
  const body = once(() => readBody(route, exchange, deps.bodyLimitBytes));
  if (typeof route.permission === "object") {
    exchange.visit = deps.gate?.visit(route.permission, { method: request.method, params, query, body });
  }
  const place = route.arrive && deps.lines.enter(exchange.path);
  let identity: Identity | undefined;
  try {
    identity = await identify(deps, exchange, { route, clientAddress });
    await place?.turn;
  } finally {
    place?.leave();
  }
  assertDecodable(request.url);
  assertSafeNames(params, query);
  const checked = { params: parseParams(route, params), query: parseQuery(route, query) };
  const read = await body();
  assertSafeNames(read);
  const parsed = { ...checked, body: parseRead(route, request, read), sent: read };
  if (identity === undefined) exchange.visit?.check(parsed);
  return { identity, ...parsed, place: route.arrive?.({ identity, ...parsed }) };
}

async function identify(
  deps: ParseRequestDeps,
  exchange: Exchange,
  { route, clientAddress }: Omit<RoutedRequest, "params">,
): Promise<Identity | undefined> {
  const { request, visit, headers } = exchange;
  const authenticate: Authenticate = async (proof, how) => {
    exchange.caller = await deps.authenticate(proof, how);
    return exchange.caller;
  };
  const authorization = readAuthorization(request.headers);
  const isAgentOpen = async () => (await visit?.isOpen()) ?? false;
  const identity = await authorise({ route, authorization, authenticate, isAgentOpen });
  const origin = isOwnPage(request.headers) ? null : request.headers.get("origin");
  await visit?.admit({ isAnonymous: identity === undefined, origin, clientAddress, headers });
  return identity;
}

/** Whether a page of the server itself sends the request. Other programs may omit what they send here. */
function isOwnPage(headers: Headers): boolean {
  if (headers.get("sec-fetch-site") === "same-origin") return true;
  const origin = headers.get("origin") ?? "";
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}

type AuthoriseRequest = {
  route: Route;
  authorization: string | null;
  authenticate: Authenticate;
  /** Whether the agent that a chat client asks for is open. Called for chat clients without credentials. */
  isAgentOpen(): Promise<boolean>;
};

/**
 * The identity of an authorised caller; undefined for an anonymous one on an open route. Every other route requires a
 * valid bearer token with its permission. Throws `unauthenticated` or `forbidden`.
 */
async function authorise(request: AuthoriseRequest): Promise<Identity | undefined> {
  const { permission: access } = request.route;
  if (access === "open") return undefined;
  if (access === "signed-in") return request.authenticate(request.authorization);
  if (typeof access === "string") return demand(access, request);
  if (access.permission === "open") return undefined;
  if (request.authorization === null && !access.needsBearer && (await request.isAgentOpen())) return undefined;
  return demand(access.permission, request);
}

async function demand(
  permission: Permission,
  { route: { trustsLastProof = false }, authorization, authenticate }: AuthoriseRequest,
): Promise<Identity> {
  const identity = await authenticate(authorization, { trustsLastProof });
  if (!isGranted(identity.grants, permission)) throw new WeftError("forbidden", { params: { permission } });
  return identity;
}

async function readBody(route: Route, exchange: Exchange, serverLimitBytes: number): Promise<unknown> {
  if (route.body === undefined) return undefined;
  const { request, connection } = exchange;
  const limitBytes = Math.min(serverLimitBytes, route.bodyLimitBytes ?? serverLimitBytes);
  if (isForm(route, request)) {
    const { maxFiles = 20, maxFileBytes, maxFieldCharacters } = route.multipart ?? {};
    const limits = { maxBytes: limitBytes, maxFiles, maxFileBytes, maxFieldCharacters };
    exchange.receiver = route.multipart?.receive?.();
    return readMultipartBody(request, limits, exchange.receiver ?? inMemory);
  }
  const read = request.method === "GET" ? toBodyOfGet(request, connection) : request;
  return readJsonBody(read, limitBytes, route.jsonLimits);
}

function parseRead(route: Route, request: Request, body: unknown): unknown {
  const schema = route.multipart?.form;
  return parseBody(route, schema !== undefined && isForm(route, request) ? parseForm(route, schema, body) : body);
}

function isForm({ multipart }: Route, { headers }: Request): boolean {
  return multipart !== undefined && (multipart.isRequired === true || isMultipart(headers));
}

/** A `Request` cannot be a GET with a body, so it is read through another one. */
function toBodyOfGet({ url, headers }: Request, { bodyOfGet }: Connection): Request {
  return new Request(url, { method: "POST", headers, ...(bodyOfGet && { body: bodyOfGet, duplex: "half" }) });
}

/** Percent-encodings in path and query must be UTF-8 text. */
function assertDecodable(url: string): void {
  if (!url.includes("%")) return;
  try {
    decodeURIComponent(url);
  } catch (cause) {
    const reason =
      "The address contains percent-encoding that is not valid UTF-8. Encode a literal percent sign as %25.";
    throw new WeftError("parameters-invalid", { params: { reason }, cause });
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Fields that hold an id chosen by the client. */
const ids = new Set(["chatId", "sessionId"]);
const maxLength = 200;

/**
 * Rejects chat and session ids and file names that could be read as a path or break a log or a header: in the path, the
 * query or the top level of the body. Throws `parameters-invalid`.
 */
function assertSafeNames(...parts: readonly unknown[]): void {
  for (const part of parts) {
    if (!isJsonObject(part)) continue;
    for (const [name, value] of Object.entries(part)) assertSafe(name, value);
  }
}

function assertSafe(name: string, value: unknown): void {
  if (typeof value !== "string" || !(ids.has(name) || name === "fileName")) return;
  const mistake = ids.has(name) ? findIdMistake(value) : findFileNameMistake(value);
  if (mistake === undefined) return;
  throw new WeftError("parameters-invalid", {
    params: { reason: `${name} ${mistake}.` },
    errors: [{ path: name, message: mistake }],
  });
}

/**
 * A name may contain percent signs, as in `100%2Epdf`: it was decoded once, is not decoded again, and names a file, not
 * a path.
 */
function findFileNameMistake(value: string): string | undefined {
  return value.includes("/") ? "must be a name without folders" : findPathMistake(value);
}

function findIdMistake(value: string): string | undefined {
  // Encoded twice: some reader on the way might decode it.
  if (/%(2f|5c|2e|7f|[01][0-9a-f])/i.test(value)) return "must not contain percent-encoded separators";
  return findPathMistake(value);
}

function findPathMistake(value: string): string | undefined {
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (/\p{Cc}|[\u2028\u2029]/u.test(value)) return "must not contain control characters";
  if (value.includes("\\")) return "must not contain a backslash";
  if (value.split("/").some((segment) => segment === "." || segment === ".."))
    return "must not contain . or .. as a path segment";
  return undefined;
}

const itemLimit = 50;
const namedItems = 5;

type Issue = z.core.$ZodIssue;

/** Parses path parameters. A malformed id is `id-invalid`, or `not-found` if the operation has no 400. */
function parseParams(route: Route, params: Record<string, string>): unknown {
  if (route.params === undefined) return params;
  const parsed = route.params.safeParse(params);
  if (parsed.success) return parsed.data;
  const items = toErrorItems(parsed.error.issues);
  const first = parsed.error.issues[0];
  const name = String(first?.path[0] ?? "");
  const value = (params[name] ?? "").slice(0, 100);
  if (!route.errors.includes(400)) throw new WeftError("not-found", { params: { resource: route.tag, id: value } });
  if (isUuidIssue(first)) throw new WeftError("id-invalid", { params: { name, value }, errors: items });
  throw new WeftError("parameters-invalid", {
    params: { reason: `The path is invalid: ${summarise(items)}.` },
    errors: items,
  });
}

/** Parses the query, or throws `query-invalid`. */
function parseQuery(route: Route, query: ReturnType<typeof readQuery>): unknown {
  const isEmpty = Object.keys(query).length === 0;
  const refused = isEmpty ? [] : refusedQuery(route).filter((name) => query[name] !== undefined);
  if (refused.length > 0) {
    const errors = refused.map((path) => ({ path, message: "is not taken by this list. Leave it out." }));
    throw new WeftError("query-invalid", { params: { reason: summarise(errors) }, errors });
  }
  if (route.query === undefined) return undefined;
  const parsed = route.query.safeParse(query);
  if (parsed.success) return parsed.data;
  const errors = toErrorItems(parsed.error.issues);
  throw new WeftError("query-invalid", { params: { reason: summarise(errors) }, errors });
}

/** Parses the body, or throws `body-missing`, or `body-invalid` / `validation-failed` as the route says. */
function parseBody(route: Route, body: unknown): unknown {
  return route.body === undefined ? undefined : parseThrough(route.body, route, body);
}

/** Parses a form into the input of the body's schema. Throws like `parseBody`. */
function parseForm(route: Route, schema: z.ZodType, form: unknown): unknown {
  return parseThrough(schema, route, form);
}

function parseThrough(schema: z.ZodType, route: Route, body: unknown): unknown {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  if (body === undefined) throw new WeftError("body-missing");
  const errors = toErrorItems(parsed.error.issues);
  const code = route.bodyErrorStatus === 422 ? "validation-failed" : "body-invalid";
  throw new WeftError(code, { params: { reason: summarise(errors) }, errors });
}

function toErrorItems(issues: readonly Issue[]): ErrorItem[] {
  return issues.slice(0, itemLimit).flatMap((issue) => toItems(issue, []));
}

function toItems(issue: Issue, parents: readonly PropertyKey[]): ErrorItem[] {
  const path = [...parents, ...issue.path];
  const branch = issue.code === "invalid_union" ? closestBranch(issue.errors) : undefined;
  if (branch !== undefined) return branch.flatMap((inner) => toItems(inner, path));
  return [{ path: cut(path.map(String).join("."), 200), message: cut(toMessage(issue), 300) }];
}

/** The alternative that fits furthest: its mistakes lie deepest. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) =>
    issues.reduce((least, { path }) => Math.min(least, path.length), Number.POSITIVE_INFINITY);
  const [best] = branches.filter((issues) => issues.length > 0).toSorted((a, b) => depth(b) - depth(a));
  return best !== undefined && depth(best) > 0 ? best : undefined;
}

/** Names and values from clients are repeated only up to this length. */
function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function toMessage(issue: Issue): string {
  if (issue.code === "invalid_type" && "input" in issue && issue.input === undefined) return "is required";
  return issue.message;
}

function summarise(items: readonly ErrorItem[]): string {
  const named = items.slice(0, namedItems).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const rest = items.length - named.length;
  return rest > 0 ? `${named.join("; ")}; and ${rest} more` : named.join("; ");
}

function isUuidIssue(issue: Issue | undefined): boolean {
  return issue?.code === "invalid_format" && (issue.format === "guid" || issue.format === "uuid");
}

/**
 * The query of a URL: a single parameter is a string, a repeated one an array of strings.
 * The object has no prototype, so that no name can reach one.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>;
  const start = url.indexOf("?");
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (Array.isArray(earlier)) earlier.push(value);
    else query[name] = [earlier, value];
  }
  return query;
}
