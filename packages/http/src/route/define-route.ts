import type { WeftError } from "@weft/schema";
import type { Place } from "@weft/workers";
import { z } from "zod";
import type { Written } from "../answer/written.ts";
import type { JsonLimits } from "../body/json-limits.ts";
import type { FileReceiver } from "../body/read-multipart-body.ts";
import { type Identity, isPermission, type Permission } from "./identity.ts";
import type { SessionChange } from "./session-cookie.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request before any of its parts is validated: whatever the client sent. */
export type RawRequest = {
  method: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | string[]>>;
  /** The JSON of the body; undefined if there is none. Rejects if it cannot be read. */
  body(): Promise<unknown>;
};

/**
 * For chat clients of one agent: requires the permission, or no credentials if the agent is public. The agent's allowed
 * origins and rate limits apply to the operation. Source: contract "Identity".
 */
export type ChatClientAccess = {
  /** `open`: the handler checks access, by the agent's own settings. */
  permission: Permission | "open";
  /** Id of the agent; undefined if the request names none, in which case it is open to nobody. */
  agentOf(request: RawRequest): string | undefined | Promise<string | undefined>;
  /**
   * Rate limit: `write` and, ten times higher, `read` apply to requests without credentials; `prediction` uses the
   * agent's own limit, or else `write`.
   */
  counts: "read" | "write" | "prediction";
  /** Public agents require credentials too. Default false. */
  needsBearer?: boolean;
};

/** `open` to everyone, `signed-in` for any valid bearer, with the permission, or for an agent's chat clients. */
export type Access = "open" | "signed-in" | Permission | ChatClientAccess;

/** The caller's identity: always present if a permission is required, possibly absent otherwise. */
export type IdentityFor<A extends Access> = A extends Permission | "signed-in" | { needsBearer: true }
  ? Identity
  : Identity | undefined;

/** What a gate knows of an agent. The gate's creator declares its type by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: others add to it.
export interface Visited {}

export type RouteRequest<Params = unknown, Query = unknown, Body = unknown, Current = unknown> = {
  /** HEAD runs the handler of GET; a handler that changes something on GET must not do so then. */
  method: HttpMethod | "HEAD";
  /** Path parameters, decoded and parsed through `params`. */
  params: Params;
  /** Query parameters parsed through `query`. Before that each is a string, or an array if repeated. */
  query: Query;
  /** The JSON body, or the form, parsed through `body`. */
  body: Body;
  /**
   * For routes with `recall`, if the request has an Idempotency-Key: the id for the item to create. Repetitions of the
   * request get the same one.
   */
  newId: string | undefined;
  /** Result of `arrive`. */
  place: Place | undefined;
  /** What the gate has read of the agent that a chat client names. */
  visited: Visited | undefined;
  headers: Headers;
  url: URL;
  /**
   * The bytes of the body, for a route with `takesRawBody`; read on demand, once. Rejects with `body-too-large`, and
   * with `media-type-unsupported` for a compressed body.
   */
  readBytes(): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Streams the body, for bodies too large for memory: at most `limitBytes`, independent of the server's own limit. The
   * handler must not keep more than one piece.
   */
  readPieces(limitBytes: number): AsyncIterable<Uint8Array>;
  /** IP address of the client, behind the proxies that `TRUST_PROXY` names; empty without a socket. */
  clientAddress: string;
  requestId: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /**
   * For updates: throws `precondition-failed` if the request has an If-Match that does not name `current`, the resource
   * as this route and the GET route answer it. Call it in the transaction that writes.
   */
  assertMatches(current: Current): void;
};

/** A handler's result: the value of the schema, the same written before, or a finished response (a stream, a file). */
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
  /** A status that the handler may answer without a body, as a `Response`. */
  emptyStatus?: number;
  /** Schema of a 202 answer, as a `Response`, for work that continues. */
  accepted?: z.ZodType;
};

/** Failure format of a third-party protocol, in place of the platform's error body. */
export type FailureFormat = { schema: z.ZodType; toBody(error: WeftError, status: number): unknown };

export type MultipartOptions = {
  /** JSON bodies are rejected. Default false. */
  isRequired?: boolean;
  /** Default 20. */
  maxFiles?: number;
  /** Characters of the longest non-file field. Default: as many as the body may have bytes. */
  maxFieldCharacters?: number;
  /** A longer file is skipped (`oversizeBytes`) and the others are read. Absent: too large a form is rejected. */
  maxFileBytes?: number;
  /**
   * Schema of the form, `{ ...fields, files: UploadedFile[] }`, if it differs from the body's: its output is parsed
   * through `body`.
   */
  form?: z.ZodType;
  /**
   * Takes the files of one request as they arrive, so that memory holds none of them whole; `files` is what it made of
   * them. Default: they are held in memory, as `UploadedFile`s.
   */
  receive?(): FileReceiver;
};

/** Saved items that may name credentials. */
export type SavedKind = "agent" | "assistant" | "document-store" | "model";

/**
 * What the audit log says of the requests of a route:
 * - `false`: changes nothing that anybody would look for, such as the use of an agent;
 * - `change`: an entry with what it writes;
 * - `always`: an entry even if it writes nothing, such as an export;
 * - `at-times`: as `always`, for what pages repeat: once in ten minutes for a caller and a thing;
 * - `others-chats`: as `at-times`, for accounts that read chats of others;
 * - `sign-in`: an entry also if it fails.
 */
export type AuditRule = false | "change" | "always" | "at-times" | "others-chats" | "sign-in";

export type RouteDefinition<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> = {
  /** `ANY`: all of them, HEAD included; the OpenAPI document shows it as a POST. */
  method: HttpMethod | "ANY";
  /** Parameters in braces: `/api/v1/chatflows/{id}`. A trailing slash in a request is ignored. */
  path: string;
  /** Unique; the name of the operation in the OpenAPI document and of the client's function. */
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  permission: A;
  /**
   * While the database does not respond, a bearer that this operation verified within the last day is accepted. For
   * operations that operators need during an outage. Default false.
   */
  trustsLastProof?: boolean;
  /**
   * For API keys limited to agents: the path parameter that names the agent or assistant, so that a foreign one is
   * answered like an unknown one; or `reach` if the handler omits what the key does not reach. Operations of
   * `agents:…`, `assistants:…` and `installation:…` without it are refused to such keys.
   */
  agent?: "reach" | { param: string; resource?: "agent" | "assistant"; unknown?(): HandlerResult<R> };
  /** An object schema with exactly the path's parameters. Without it they are plain strings. */
  params?: P;
  query?: Q;
  /**
   * For saves: the item that may name credentials. Callers may confirm with `confirmDestinations`, the operation's only
   * query parameter, that these are sent to the destinations it names.
   */
  confirms?: SavedKind;
  /** Schema of the JSON body. A body is required unless the schema accepts undefined. */
  body?: B;
  /** The body may be multipart/form-data. */
  multipart?: MultipartOptions;
  /**
   * The body, of any type or of the given one, is left to the handler, which reads it with `readBytes` or `readPieces`.
   */
  takesRawBody?: boolean | "application/octet-stream";
  /** A GET whose body is read; its schema must accept undefined, because few clients can send one. */
  takesBodyOnGet?: boolean;
  /** Status for a body that violates the schema. Default 400. */
  bodyErrorStatus?: 400 | 422;
  /** The operation is a probe or a file, served under every name; see `createHostCheck`. Default false. */
  servesAnyHost?: boolean;
  /** A page, or a file of one, for browsers: omitted from the API's description. */
  isPage?: boolean;
  /** What the audit log says of its requests. Default: `auditRuleOf`. */
  audit?: AuditRule;
  /** A lower limit than the server's, in bytes. */
  bodyLimitBytes?: number;
  /** Limits of a JSON body. Default `commonLimits`. */
  jsonLimits?: JsonLimits;
  /** null: an empty body with status 200. */
  returns: Returns<R> | null;
  /**
   * Enables `Idempotency-Key`: returns what an earlier, equal request created under this `newId`; undefined if it did
   * not get that far. Source: contract "Resources".
   */
  recall?(
    id: string,
    request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>>,
  ): Promise<HandlerResult<R> | undefined>;
  /** `recall` also answers for a request that is still running: a repetition then waits with it. */
  recallsRunning?: boolean;
  /**
   * For requests whose order matters: a place in the request's line, taken at the moment it is read. Requests to one
   * address get there in order of arrival, whatever is read from the database on the way. The handler waits for its
   * turn; the place is left with the answer at the latest.
   */
  arrive?(request: { identity: Identity | undefined; params: z.output<P>; body: z.output<B> }): Place | undefined;
  /** For operations that answer with a token, or revoke it: pages of the server keep it in a cookie. */
  session?: SessionChange;
  /** Failure statuses in the operation's row. 401, 403, 405, 413, 415, 429 and 503 need not be listed. */
  errors: readonly number[];
  /** Default: the platform's error body. */
  failure?: FailureFormat;
  handle(
    request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>, z.input<R>> & { identity: IdentityFor<A> },
  ): HandlerResult<R> | Promise<HandlerResult<R>>;
};

/** One operation of the API, its types erased: read by the application, the OpenAPI document and the tests. */
export type Route = RouteDefinition<Access, z.ZodType, z.ZodType, z.ZodType, z.ZodType>;

/**
 * Declares one operation, from which validation, authorisation, types and its part of the OpenAPI document derive.
 * Throws if the declaration contradicts itself, so that a route without a policy stops the start.
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

/** Query parameters that ask a list for a part of it. */
const partOfList = ["page", "limit"] as const;

/**
 * The parameters among `page` and `limit` that an operation rejects: both, for a list of the platform's own that always
 * answers in full; ignoring them would answer more than was asked for. Lists are the operations named `list…`.
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
