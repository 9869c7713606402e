import { DatabaseUnavailableError } from "@weft/database";
import { type ErrorBody, WeftError } from "@weft/schema";
import type { Route } from "../route/define-route.ts";
import { responseHeaders } from "./to-response.ts";

export type ErrorContext = {
  /** Undefined if no route was found. */
  route?: Route | undefined;
  requestId: string;
  /** Path of the request, without its query. */
  path: string;
  accept: string | null;
  headers?: Record<string, string>;
};

/**
 * The error shown to the client: a `WeftError` itself, `internal` for anything else except a database that cannot be
 * used. In that case it is unknown how far the request came: it does not say that it may be repeated (G15).
 */
export function toWeftError(error: unknown): WeftError {
  if (error instanceof WeftError) return error;
  if (!(error instanceof DatabaseUnavailableError)) return new WeftError("internal", { cause: error });
  return new WeftError("not-ready", { params: { reason: error.reason }, retryable: false, cause: error });
}

/** The answer to a failed request (RFC 9457 and the members that existing clients read). */
export function toErrorResponse(error: WeftError, context: ErrorContext): Response {
  const status = statusFor(error, context.route);
  const format = context.route?.failure;
  const isProblem = format === undefined && asksForProblem(context.accept);
  return new Response(JSON.stringify(format?.toBody(error, status) ?? toErrorBody(error, status, context)), {
    status,
    headers: {
      ...responseHeaders(context.requestId, "no-store"),
      "Content-Type": isProblem ? "application/problem+json" : "application/json",
      ...extraHeaders(error, status),
      ...context.headers,
    },
  });
}

/** The body of every failure, except for routes with their own format. */
export function toErrorBody(
  error: WeftError,
  status: number,
  { path, requestId }: Pick<ErrorContext, "path" | "requestId">,
): ErrorBody {
  return {
    statusCode: status,
    success: false,
    message: error.message,
    code: error.code,
    type: `urn:weft:error:${error.code}`,
    title: error.title,
    status,
    detail: error.message,
    instance: path,
    errors: error.errors,
    requestId,
    ...((error.retryable || error.upstream !== undefined || error.executionId !== undefined) && {
      retryable: error.retryable,
    }),
    ...(error.upstream !== undefined && { upstream: error.upstream }),
    ...(error.executionId !== undefined && {
      executionId: error.executionId,
      events: `/api/v1/executions/${error.executionId}/events`,
    }),
  };
}

/** Operations without 404 or 422 in their row answer 400 instead, if they have that. */
function statusFor({ status }: WeftError, route: Route | undefined): number {
  const isTranslated = (status === 404 || status === 422) && route?.errors.includes(400);
  return isTranslated && !route?.errors.includes(status) ? 400 : status;
}

function extraHeaders({ retryAfterSeconds, allowed }: WeftError, status: number): Record<string, string> {
  return {
    ...(allowed !== undefined && { Allow: allowed }),
    ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
    ...(retryAfterSeconds !== undefined && { "Retry-After": String(Math.ceil(retryAfterSeconds)) }),
  };
}

function asksForProblem(accept: string | null): boolean {
  return accept?.toLowerCase().includes("application/problem+json") ?? false;
}
