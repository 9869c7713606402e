import type { z } from "zod";
import type { Identity } from "./identity.ts";
import { isPermission, type Permission } from "./permissions.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Needs the permission, unless `isOpen` says that these path parameters are open to everyone (a public agent). */
export type OpenForSome = {
  permission: Permission;
  isOpen(params: Readonly<Record<string, string>>): Promise<boolean>;
};

/** `open` to everyone, `signed-in` for any valid bearer, with the permission, or open for some resources. */
export type Access = "open" | "signed-in" | Permission | OpenForSome;

/** Who may be calling: certain where a permission is demanded, perhaps nobody known elsewhere. */
export type IdentityFor<A extends Access> = A extends Permission | "signed-in" ? Identity : Identity | undefined;

export type RouteRequest<Params = unknown, Query = unknown, Body = unknown, Current = unknown> = {
  /** HEAD runs the handler of GET; a handler that changes something on GET must not do so then. */
  method: HttpMethod | "HEAD";
  /** Path parameters, decoded and parsed through `params`. */
  params: Params;
  /** Query parameters parsed through `query`. Before that each is a string, or an array where it is repeated. */
  query: Query;
  /** The JSON body parsed through `body`. */
  body: Body;
  headers: Headers;
  url: URL;
  requestId: string;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /**
   * For updates: throws `precondition-failed` when the request has an If-Match that does not name `current`, the
   * resource as this route and the GET route answer it. Call it in the transaction that writes.
   */
  assertMatches(current: Current): void;
};

/** What a handler may give: the value of the schema, or a finished response (a stream, a file). */
export type HandlerResult<R extends z.ZodType> = z.input<R> | Response;

export type Returns<R extends z.ZodType> = {
  schema: R;
  /** Default `application/json`. With `text/…` the value is the text itself. */
  contentType?: string;
  /** Further content types that the handler may answer with a `Response`, such as `text/event-stream`. */
  otherContentTypes?: readonly string[];
  /** Default 200. */
  status?: number;
  description?: string;
};

export type RouteDefinition<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> = {
  method: HttpMethod;
  /** Parameters in braces: `/api/v1/chatflows/{id}`. A trailing slash of a request equals none. */
  path: string;
  /** Unique; the name of the operation in the OpenAPI document and of the client's function. */
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  permission: A;
  /** An object schema with exactly the path's parameters. Without it they are plain strings. */
  params?: P;
  query?: Q;
  /** Schema of the JSON body. A body is needed unless the schema accepts undefined. */
  body?: B;
  /** Status when the body breaks the schema. Default 400. */
  bodyErrorStatus?: 400 | 422;
  /** A smaller limit than the server's, in bytes. */
  bodyLimitBytes?: number;
  /** null: an empty body with status 200. */
  returns: Returns<R> | null;
  /** Statuses of failure in the operation's row. 401, 403, 405, 413, 415, 429 and 503 need no mention. */
  errors: readonly number[];
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
  const route = definition as unknown as Route;
  const mistake = findMistake(route);
  if (mistake !== undefined) throw new Error(`Route ${route.method} ${route.path}: ${mistake}`);
  return route;
}

/** Names of the parameters in a path such as `/chatflows/{id}`, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function findMistake(route: Route): string | undefined {
  if (!isAccess(route.permission)) return "declares no permission. Name one, or say open.";
  if (!/^(\/|(\/([\w.-]+|\{\w+\}))+)$/.test(route.path))
    return "the path must be segments or {parameters} after slashes.";
  if (route.method === "GET" && route.body !== undefined) return "a GET takes no body.";
  const declared = objectKeys(route.params);
  const expected = pathParameters(route.path);
  if (declared !== undefined && declared.toSorted().join() !== expected.toSorted().join()) {
    return `params declares ${declared.join(", ")}, the path has ${expected.join(", ")}.`;
  }
  return undefined;
}

function isAccess(value: unknown): value is Access {
  if (typeof value === "string") return value === "open" || value === "signed-in" || isPermission(value);
  return typeof value === "object" && value !== null && "permission" in value && isPermission(String(value.permission));
}

function objectKeys(schema: z.ZodType | undefined): string[] | undefined {
  return schema !== undefined && "shape" in schema ? Object.keys(schema.shape as object) : undefined;
}
