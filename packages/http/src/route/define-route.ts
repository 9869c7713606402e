import type { WeftError } from "@weft/schema";
import type { Place } from "@weft/workers";
import { z } from "zod";
import type { Written } from "../answer/written.ts";
import type { JsonLimits } from "../body/json-limits.ts";
import { type Identity, isPermission, type Permission } from "./identity.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request before any of its parts is checked: whatever the client sent. */
export type RawRequest = {
  method: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | string[]>>;
  /** The JSON of the body; undefined when there is none. Rejects when it cannot be read. */
  body(): Promise<unknown>;
};

/**
 * For chat clients of one agent: needs the permission, or no credentials where the agent is public. The agent's allowed
 * origins and rate limits hold for the operation. Source: contract "Identity".
 */
export type ChatClientAccess = {
  /** `open`: the handler finds out who may, as the agent's own settings say. */
  permission: Permission | "open";
  /** Id of the agent; undefined when the request names none, so that it is open to nobody. */
  agentOf(request: RawRequest): string | undefined | Promise<string | undefined>;
  /**
   * How requests are limited: `write` where they come without credentials, `read` there as well but ten times as many,
   * `prediction` by the agent's own limit, else as `write`.
   */
  counts: "read" | "write" | "prediction";
  /** Whether credentials are needed for public agents as well. Default false. */
  needsBearer?: boolean;
};

/** `open` to everyone, `signed-in` for any valid bearer, with the permission, or for an agent's chat clients. */
export type Access = "open" | "signed-in" | Permission | ChatClientAccess;

/** Who may be calling: certain where a permission is demanded, perhaps nobody known elsewhere. */
export type IdentityFor<A extends Access> = A extends Permission | "signed-in" | { needsBearer: true }
  ? Identity
  : Identity | undefined;

/** What a gate knows of an agent. The maker of the gate declares its type by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: others add to it.
export interface Visited {}

export type RouteRequest<Params = unknown, Query = unknown, Body = unknown, Current = unknown> = {
  /** HEAD runs the handler of GET; a handler that changes something on GET must not do so then. */
  method: HttpMethod | "HEAD";
  /** Path parameters, decoded and parsed through `params`. */
  params: Params;
  /** Query parameters parsed through `query`. Before that each is a string, or an array where it is repeated. */
  query: Query;
  /** The JSON body, or the form, parsed through `body`. */
  body: Body;
  /**
   * For routes with `recall`, when the request has an Idempotency-Key: the id to give to what is created. Repetitions
   * of the request get the same one.
   */
  newId: string | undefined;
  /** What `arrive` gave the request. */
  place: Place | undefined;
  /** What the gate has read of the agent that a chat client names. */
  visited: Visited | undefined;
  headers: Headers;
  url: URL;
  /**
   * The bytes of the body, for a route with `takesRawBody`, read when they are asked for, once. Rejects with
   * `body-too-large`, and with `media-type-unsupported` for a compressed body.
   */
  readBytes(): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Streams the body, for bodies too large for memory: at most `limitBytes`, independent of the server's own limit. The
   * handler must not keep more than one piece.
   */
  readPieces(limitBytes: number): AsyncIterable<Uint8Array>;
  /** IP address of the client, behind the proxies that `TRUST_PROXY` names; empty where there is no socket. */
  clientAddress: string;
  requestId: string;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /**
   * For updates: throws `precondition-failed` when the request has an If-Match that does not name `current`, the
   * resource as this route and the GET route answer it. Call it in the transaction that writes.
   */
  assertMatches(current: Current): void;
};

/** What a handler may give: the value of the schema, the same written before, or a finished response (a stream, a file). */
export type HandlerResult<R extends z.ZodType> = z.input<R> | Written<Declared<NoInfer<R>>> | Response;

/** The schema of a route, or an alternative of it. */
type Declared<R extends z.ZodType> = R extends z.ZodUnion<infer Options> ? R | Extract<Options[number], z.ZodType> : R;

export type Returns<R extends z.ZodType> = {
  schema: R;
  /** Default `application/json`. With another one the value is the text itself. */
  contentType?: string;
  /** Further content types that the handler may answer with a `Response`, such as `text/event-stream`. */
  otherContentTypes?: readonly string[];
  /** Default 200. */
  status?: number;
  description?: string;
  /** A status that the handler may answer without a body, by a `Response`. */
  emptyStatus?: number;
  /** What the handler may answer with 202, by a `Response`, where the work goes on. */
  accepted?: z.ZodType;
};

/** How failures look where a protocol of others says it, in place of the platform's error body. */
export type FailureFormat = { schema: z.ZodType; toBody(error: WeftError, status: number): unknown };

export type MultipartOptions = {
  /** Whether a JSON body is refused. Default false. */
  isRequired?: boolean;
  /** Default 20. */
  maxFiles?: number;
  /** Characters of the longest field that is not a file. Default: as many as the body may have bytes. */
  maxFieldCharacters?: number;
  /** A longer file is passed over (`oversizeBytes`) and the others are read. Absent: too large a form is refused. */
  maxFileBytes?: number;
  /**
   * Schema of the form, `{ ...fields, files: UploadedFile[] }`, where it is not the body's own: what it yields is
   * parsed through `body`.
   */
  form?: z.ZodType;
};

/** What a save may name credentials in. */
export type SavedKind = "agent" | "assistant" | "document-store" | "model";

export type RouteDefinition<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> = {
  /** `ANY`: all of them, HEAD included; the OpenAPI document shows it as a POST. */
  method: HttpMethod | "ANY";
  /** Parameters in braces: `/api/v1/chatflows/{id}`. A trailing slash of a request equals none. */
  path: string;
  /** Unique; the name of the operation in the OpenAPI document and of the client's function. */
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  permission: A;
  /**
   * While the database does not answer, a bearer that this operation saw proven within the last day is believed. For what
   * operators need just then. Default false.
   */
  trustsLastProof?: boolean;
  /**
   * For API keys that are limited to agents: which path parameter names the agent or assistant, so that a foreign one is
   * answered as an unknown one, or `reach` where the handler leaves out what the key does not reach. Operations of
   * `agents:…`, `assistants:…` and `installation:…` without it are refused to such keys.
   */
  agent?: "reach" | { param: string; resource?: "agent" | "assistant"; unknown?(): HandlerResult<R> };
  /** An object schema with exactly the path's parameters. Without it they are plain strings. */
  params?: P;
  query?: Q;
  /**
   * For saves: what may name credentials. Callers may confirm with `confirmDestinations`, the only query of the operation,
   * that these are sent where it says.
   */
  confirms?: SavedKind;
  /** Schema of the JSON body. A body is needed unless the schema accepts undefined. */
  body?: B;
  /** The body may come as multipart/form-data. */
  multipart?: MultipartOptions;
  /** The body, of any type or of the given one, is left to the handler, which reads it with `readBytes` or `readPieces`. */
  takesRawBody?: boolean | "application/octet-stream";
  /** A GET whose body is read; its schema must accept undefined, because few clients can send one. */
  takesBodyOnGet?: boolean;
  /** Status when the body breaks the schema. Default 400. */
  bodyErrorStatus?: 400 | 422;
  /** Whether the operation is a probe or a file, served under every name; see `createHostCheck`. Default false. */
  servesAnyHost?: boolean;
  /** A page, or a file of one, which browsers ask for: the API's description has none of them. */
  isPage?: boolean;
  /** A smaller limit than the server's, in bytes. */
  bodyLimitBytes?: number;
  /** How much a JSON body may hold. Default `commonLimits`. */
  jsonLimits?: JsonLimits;
  /** null: an empty body with status 200. */
  returns: Returns<R> | null;
  /**
   * Makes the operation accept `Idempotency-Key`: what an earlier, equal request created under this `newId`; undefined
   * when it did not get that far. Source: contract "Resources".
   */
  recall?(
    id: string,
    request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>>,
  ): Promise<HandlerResult<R> | undefined>;
  /** Whether `recall` answers for a request that is still running, too: then a repetition waits with it. */
  recallsRunning?: boolean;
  /**
   * For requests whose order counts: the place of one in its line, taken at the moment in which it is read. Those to one
   * address get there in the order of their arrival, whatever is asked of the database on the way. The handler waits for
   * its turn; the place is left with the answer at the latest.
   */
  arrive?(request: { identity: Identity | undefined; params: z.output<P>; body: z.output<B> }): Place | undefined;
  /** Statuses of failure in the operation's row. 401, 403, 405, 413, 415, 429 and 503 need no mention. */
  errors: readonly number[];
  /** Default: the platform's error body. */
  failure?: FailureFormat;
  handle(
    request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>, z.input<R>> & { identity: IdentityFor<A> },
  ): HandlerResult<R> | Promise<HandlerResult<R>>;
};

/** One operation of the API, its types erased: what the application, the OpenAPI document and the tests read. */
export type Route = RouteDefinition<Access, z.ZodType, z.ZodType, z.ZodType, z.ZodType>;

/**
 * Declares one operation: validation, authorisation, types and its part of the OpenAPI document derive from it.
 * Throws where the declaration contradicts itself, so that a route without a policy stops the start.
 */
export function defineRoute<
  const A extends Access,
  P extends z.ZodType = z.ZodType<Record<string, string>>,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodVoid,
>(definition: RouteDefinition<A, P, Q, B, R>): Route {
  const given = definition as unknown as Route;
  const route = given.confirms === undefined ? given : { ...given, query: confirmQuery };
  const mistake = findMistake(given);
  if (mistake !== undefined) throw new Error(`Route ${route.method} ${route.path}: ${mistake}`);
  return route;
}

const confirmQuery = z.object({
  confirmDestinations: z.enum(["true", "false"]).optional().meta({
    "x-client": "option",
    description:
      "true: what is saved may send its credentials where it says. Needs the permission credentials:write; an API key confirms for credentials that it created, and others stay findings.",
  }),
});

/** What asks a list for a part of it. */
const partOfList = ["page", "limit"] as const;

/**
 * Which of `page` and `limit` an operation refuses: both, for a list of the platform's own that always answers whole. One
 * that passed over them would answer with more than was asked for. Lists are the operations named `list…`.
 */
export function refusedQuery({ method, operationId, query, failure }: Route): readonly string[] {
  if (method !== "GET" || failure !== undefined || !/^list[A-Z]/.test(operationId)) return [];
  const declared = objectKeys(query) ?? [];
  return partOfList.filter((name) => !declared.includes(name));
}

/** Names of the parameters in a path such as `/chatflows/{id}`, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function findMistake(route: Route): string | undefined {
  if (!isAccess(route.permission)) return "declares no permission. Name one, or say open.";
  if (!/^(\/|(\/([\w.-]+|\{\w+\}))+)$/.test(route.path))
    return "the path must be segments or {parameters} after slashes.";
  if (route.method === "GET" && route.body !== undefined && route.takesBodyOnGet !== true) {
    return "a GET takes no body unless it says takesBodyOnGet.";
  }
  if (route.confirms !== undefined && route.query !== undefined) return "a save that confirms has no query of its own.";
  if (route.recall !== undefined && route.method !== "POST") return "only a POST has a repetition to recall.";
  if (route.multipart !== undefined && route.body === undefined) return "a form needs a body schema.";
  const declared = objectKeys(route.params);
  const expected = pathParameters(route.path);
  if (declared !== undefined && declared.toSorted().join() !== expected.toSorted().join()) {
    return `params declares ${declared.join(", ")}, the path has ${expected.join(", ")}.`;
  }
  return undefined;
}

function isAccess(value: unknown): value is Access {
  if (typeof value === "string") return value === "open" || value === "signed-in" || isPermission(value);
  if (typeof value !== "object" || value === null || !("permission" in value)) return false;
  return value.permission === "open" || isPermission(String(value.permission));
}

function objectKeys(schema: z.ZodType | undefined): string[] | undefined {
  return schema !== undefined && "shape" in schema ? Object.keys(schema.shape as object) : undefined;
}
