import { WeftError } from "@weft/schema";
import type { Lines } from "@weft/workers";
import type { AgentPolicies, AgentPolicy } from "../access/agent-policy.ts";
import type { ChatClientGate } from "../access/chat-client-gate.ts";
import { assertUnguessable } from "../access/unguessable-ids.ts";
import { readJsonBody } from "../body/read-json-body.ts";
import { isMultipart, readMultipartBody } from "../body/read-multipart-body.ts";
import { type Authenticate, authorise } from "./authorise.ts";
import type { Parsed } from "./create-route-request.ts";
import type { ChatClientAccess, RawRequest, Route } from "./define-route.ts";
import type { Connection, Exchange } from "./exchange.ts";
import type { Identity } from "./identity.ts";
import { readQuery } from "./read-query.ts";
import { assertSafeNames } from "./safe-names.ts";
import { parseBody, parseForm, parseParams, parseQuery } from "./validation.ts";

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
    const reason = "The address has a percent-encoding that is not UTF-8 text. Encode it with %25 for a percent sign.";
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
