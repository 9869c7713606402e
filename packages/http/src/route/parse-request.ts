import { type ErrorItem, WeftError } from "@weft/schema";
import type { Lines } from "@weft/workers";
import type { z } from "zod";
import type { AgentPolicies, AgentPolicy, ChatClientGate } from "../access/chat-client-gate.ts";
import { assertUnguessable } from "../access/unguessable-ids.ts";
import { readJsonBody } from "../body/read-json-body.ts";
import { isMultipart, readMultipartBody } from "../body/read-multipart-body.ts";
import type { Parsed } from "./create-route-request.ts";
import type { ChatClientAccess, RawRequest, Route } from "./define-route.ts";
import type { Connection, Exchange } from "./exchange.ts";
import type { Identity } from "./identity.ts";
import { type Authenticate, authorise } from "./limited-keys.ts";
import { readQuery } from "./read-query.ts";

export type ParseRequestDeps = {
  authenticate: Authenticate;
  /** Largest body of a request, in bytes. */
  bodyLimitBytes: number;
  /** What agents say about their chat clients. Absent: no agent is open, none restricts anybody. */
  agentPolicies?: AgentPolicies;
  gate: ChatClientGate;
  /** Requests whose order counts, until it is known who sends them. */
  lines: Lines;
};

export type RoutedRequest = {
  route: Route;
  /** As the router found them in the path. */
  params: Record<string, string>;
  clientAddress(): string;
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
  const access = typeof route.permission === "object" ? route.permission : undefined;
  const raw = { method: request.method, params, query, body };
  if (access !== undefined) exchange.findPolicy = createPolicyFinder(deps, exchange, { access, request: raw });
  const place = route.arrive && deps.lines.enter(exchange.path);
  let identity: Identity | undefined;
  try {
    identity = await identify(deps, exchange, { route, access, clientAddress });
    await place?.turn;
  } finally {
    place?.leave();
  }
  assertDecodable(request.url);
  assertSafeNames(params, query);
  const checked = { params: parseParams(route, params), query: parseQuery(route, query) };
  const read = await body();
  assertSafeNames(read);
  const parsed = { ...checked, body: parseRead(route, request, read) };
  if (access !== undefined && identity === undefined) assertOwnChat(parsed);
  return { identity, ...parsed, place: route.arrive?.({ identity, ...parsed }) };
}

type Visitor = Pick<RoutedRequest, "route" | "clientAddress"> & { access: ChatClientAccess | undefined };

/** Who sends the request, and may. */
async function identify(
  deps: ParseRequestDeps,
  exchange: Exchange,
  { route, access, clientAddress }: Visitor,
): Promise<Identity | undefined> {
  const authorization = exchange.request.headers.get("authorization");
  const { authenticate } = deps;
  const identity = await authorise({ route, authorization, authenticate, isAgentOpen: () => isOpen(deps, exchange) });
  if (access !== undefined) await admit(deps, exchange, { access, identity, clientAddress });
  return identity;
}

/** Settings of the agent that a chat client asks for, looked up when they are needed and then kept. */
function createPolicyFinder(
  { agentPolicies }: ParseRequestDeps,
  exchange: Exchange,
  { access, request }: { access: ChatClientAccess; request: RawRequest },
): () => Promise<AgentPolicy | undefined> {
  return once(async () => {
    const agentId = await access.agentOf(request);
    const policy = agentId === undefined ? undefined : await agentPolicies?.find(agentId);
    exchange.namesUnknownAgent = agentId !== undefined && policy === undefined;
    return policy;
  });
}

async function isOpen({ agentPolicies }: ParseRequestDeps, { findPolicy }: Exchange): Promise<boolean> {
  if (!agentPolicies?.hasOpenAgents) return false;
  return (await findPolicy?.())?.isOpen ?? false;
}

type Admission = { access: ChatClientAccess; identity: Identity | undefined; clientAddress(): string };

async function admit({ gate }: ParseRequestDeps, exchange: Exchange, admission: Admission): Promise<void> {
  const { access, identity, clientAddress } = admission;
  const origin = exchange.request.headers.get("origin");
  const isAnonymous = identity === undefined;
  if (!isAnonymous && origin === null && access.counts !== "prediction") return;
  const policy = await exchange.findPolicy?.();
  if (policy !== undefined)
    gate.admit({ access, policy, isAnonymous, origin, clientAddress, headers: exchange.headers });
}

/** Without credentials a chat belongs to whoever knows its id, wherever the request names it. */
function assertOwnChat(parts: Readonly<Record<string, unknown>>): void {
  for (const part of Object.values(parts)) {
    if (typeof part === "object" && part !== null && "chatId" in part) assertUnguessable("chatId", part.chatId);
  }
}

async function readBody(route: Route, { request, connection }: Exchange, serverLimitBytes: number): Promise<unknown> {
  if (route.body === undefined) return undefined;
  const limitBytes = Math.min(serverLimitBytes, route.bodyLimitBytes ?? serverLimitBytes);
  if (isForm(route, request)) {
    const { maxFiles = 20, maxFileBytes, maxFieldCharacters } = route.multipart ?? {};
    return readMultipartBody(request, { maxBytes: limitBytes, maxFiles, maxFileBytes, maxFieldCharacters });
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

/** A `Request` cannot be a GET with a body, so it becomes another one to be read. */
function toBodyOfGet({ url, headers }: Request, { bodyOfGet }: Connection): Request {
  return new Request(url, { method: "POST", headers, ...(bodyOfGet && { body: bodyOfGet, duplex: "half" }) });
}

/** Percent-encodings in path and query must be those of UTF-8 text. */
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

/** Fields that hold an id of the client's own choice. */
const ids = new Set(["chatId", "sessionId"]);
const maxLength = 200;

/**
 * Refuses ids of chats and sessions, and names of files, that could be read as a path or break a log or a header:
 * wherever a request brings them, in the path, the query or the top of the body. Throws `parameters-invalid`.
 */
function assertSafeNames(...parts: readonly unknown[]): void {
  for (const part of parts) {
    if (typeof part !== "object" || part === null || Array.isArray(part)) continue;
    for (const [name, value] of Object.entries(part)) assertSafe(name, value);
  }
}

function assertSafe(name: string, value: unknown): void {
  if (typeof value !== "string" || !(ids.has(name) || name === "fileName")) return;
  const mistake = ids.has(name) ? findMistake(value) : findFileNameMistake(value);
  if (mistake === undefined) return;
  throw new WeftError("parameters-invalid", {
    params: { reason: `${name} ${mistake}.` },
    errors: [{ path: name, message: mistake }],
  });
}

function findFileNameMistake(value: string): string | undefined {
  return value.includes("/") ? "must be a name without folders" : findMistake(value);
}

function findMistake(value: string): string | undefined {
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (/\p{Cc}|[\u2028\u2029]/u.test(value)) return "must not contain control characters";
  if (value.includes("\\")) return "must not contain a backslash";
  // Encoded once more: some reader on the way might decode it.
  if (/%(2f|5c|2e|7f|[01][0-9a-f])/i.test(value)) return "must not contain percent-encoded separators";
  if (value.split("/").some((segment) => segment === "." || segment === ".."))
    return "must not contain . or .. as a path segment";
  return undefined;
}

const itemLimit = 50;
const namedItems = 5;

type Issue = z.core.$ZodIssue;

/** Parses path parameters. A malformed id is `id-invalid`, or `not-found` where the operation answers no 400. */
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
function parseQuery(route: Route, query: unknown): unknown {
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

/** Parses a form into what the body's schema takes. Throws as `parseBody`. */
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

/** Of several alternatives the one that fits furthest: its mistakes lie deepest. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) =>
    issues.reduce((least, { path }) => Math.min(least, path.length), Number.POSITIVE_INFINITY);
  const [best] = branches.filter((issues) => issues.length > 0).toSorted((a, b) => depth(b) - depth(a));
  return best !== undefined && depth(best) > 0 ? best : undefined;
}

/** Names and values of the client's are repeated so far and no further. */
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
