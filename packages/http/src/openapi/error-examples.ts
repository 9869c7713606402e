import { type ErrorCode, type JsonObject, WeftError, type WeftErrorOptions } from "@weft/schema";
import { toErrorBody } from "../answer/to-error-response.ts";
import type { FailureFormat } from "../route/define-route.ts";

/** One failure for each status that operations declare. */
const failures: Readonly<Record<number, [ErrorCode, WeftErrorOptions?]>> = {
  400: [
    "body-invalid",
    { params: { reason: "name: is required" }, errors: [{ path: "name", message: "is required" }] },
  ],
  401: ["unauthenticated"],
  403: ["forbidden", { params: { permission: "agents:read" } }],
  404: ["not-found", { params: { resource: "agent", id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f" } }],
  409: ["idempotency-key-running"],
  412: ["precondition-failed"],
  413: ["body-too-large", { params: { limit: 52_428_800 } }],
  415: ["media-type-unsupported", { params: { expected: "application/json", actual: "text/plain" } }],
  422: [
    "validation-failed",
    { params: { reason: "name: is required" }, errors: [{ path: "name", message: "is required" }] },
  ],
  429: ["rate-limited", { params: { retryAfterSeconds: 30 } }],
  500: ["internal"],
  503: ["at-capacity", { params: { limit: 64, retryAfterSeconds: 1 } }],
};

/**
 * The body of an answer of that status, as an example; `format`: of routes that have one of their own.
 * Throws for a status that no failure is known of.
 */
export function toErrorExample(status: number, format?: FailureFormat): JsonObject {
  const failure = failures[status];
  if (failure === undefined) throw new Error(`http/error-examples.ts has no failure of status ${status}.`);
  const error = new WeftError(...failure);
  if (format !== undefined) return format.toBody(error, status) as JsonObject;
  const context = { path: "/api/v1/chatflows", requestId: "0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b" };
  return { ...toErrorBody(error, status, context) } as JsonObject;
}
