import { AISDKError, APICallError } from "@ai-sdk/provider";
import { type ErrorCode, type Upstream, WeftError } from "@weft/schema";
import { readRetryAfterSeconds } from "./retry-after.ts";
import { readVendorError } from "./vendor-error.ts";
import { describeNetworkError, isNetworkError, toReason } from "./vendor-reason.ts";

const incomplete = "it ended before it was complete";

export type ModelErrorContext = {
  /** Id of the model that was asked. */
  id: string;
  /** Texts that the message must not contain, such as the API key. */
  secrets: readonly string[];
};

/**
 * Translates whatever the vendor's library threw into a `WeftError` of a `model-*` code. The library's own error is not
 * kept as the cause: it holds the whole prompt. An egress refusal passes through as it is, and so does an error that is
 * none of the vendor's: a bug.
 */
export function toModelError(error: unknown, context: ModelErrorContext): unknown {
  const known = findWeftError(error);
  if (known !== undefined) return fromEgress(known, APICallError.isInstance(error) ? error.statusCode : undefined);
  if (APICallError.isInstance(error)) return fromCallError(error, context);
  const vendorError = readVendorError(error);
  if (vendorError !== undefined) return fromVendor(vendorError, context);
  if (AISDKError.isInstance(error)) return fromLibraryError(error, context);
  return isNetworkError(error) ? unreachable(describeNetworkError(error, context.secrets)) : error;
}

function fromCallError(error: APICallError, context: ModelErrorContext): WeftError {
  if (error.statusCode === undefined) return unreachable(describeNetworkError(error.cause ?? error, context.secrets));
  if (error.statusCode < 400) return invalidAnswer(describeUnreadable(error));
  const said = readVendorError(error.data)?.message ?? readVendorError(parseJson(error.responseBody))?.message;
  const message = said ?? (error.message || "it gave no reason");
  const code = readVendorError(error.data)?.code;
  return fromVendor({ status: error.statusCode, message, code, headers: error.responseHeaders }, context);
}

type VendorFailure = {
  status: number;
  message: string;
  code?: string | undefined;
  headers?: Record<string, string> | undefined;
};

function fromVendor({ status, message, code, headers }: VendorFailure, { id, secrets }: ModelErrorContext): WeftError {
  const retryAfterSeconds = readRetryAfterSeconds(headers ?? {});
  const upstream: Upstream = { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  const params = { status, reason: toReason(message, secrets), model: id };
  // A spent quota comes as 429 too, but does not pass by waiting.
  const retryable = code === "insufficient_quota" ? { retryable: false } : {};
  return new WeftError(codeOfStatus(status), { params, upstream, ...retryable });
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return "model-unauthorized";
  if (status === 429) return "model-rate-limited";
  return status >= 500 ? "model-unavailable" : "model-invalid-request";
}

/** The library found the request impossible (nothing was sent) or the answer unreadable. */
function fromLibraryError(error: AISDKError, { secrets }: ModelErrorContext): WeftError {
  if (!requestErrorNames.has(error.name)) return invalidAnswer("it is not what the API promises");
  return new WeftError("model-invalid-request", {
    params: { status: "none, it was not sent", reason: toReason(error.message, secrets) },
  });
}

const requestErrorNames = new Set([
  "AI_UnsupportedFunctionalityError",
  "AI_InvalidArgumentError",
  "AI_InvalidPromptError",
]);

/** A refusal stays one. A failed call never reached the server, or, when a status had come, broke its answer off. */
function fromEgress(error: WeftError, status: number | undefined): WeftError {
  if (error.code !== "egress-failed" && error.code !== "egress-timeout") return error;
  return status === undefined ? unreachable(error.message.replace(/\.$/, "")) : invalidAnswer(incomplete);
}

function unreachable(reason: string): WeftError {
  return new WeftError("model-unreachable", { params: { reason } });
}

function invalidAnswer(reason: string): WeftError {
  return new WeftError("model-invalid-answer", { params: { reason } });
}

/** Says what came instead, never its text: it may be a page of a proxy, or another customer's data. */
function describeUnreadable(error: APICallError): string {
  const body = error.responseBody?.trimStart();
  if (body === undefined) return incomplete;
  if (body === "") return "it is empty";
  return body.startsWith("<") ? "it is a web page; check the base URL" : "it is not the JSON that the API promises";
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

function findWeftError(error: unknown): WeftError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof WeftError) return current;
    current = current.cause;
  }
  return undefined;
}
