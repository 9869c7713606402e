import { describeNetworkError, isNetworkError, toReason } from "@weft/engine/http";
import { findWeftError, parseJson, type Upstream, WeftError } from "@weft/schema";
import { readVendorError, type VendorError } from "./vendor-error.ts";

/** Prefix of the codes of a vendor's failures: `model-unauthorized` or `embedding-unauthorized`, and so on. */
export type FailureFamily = "model" | "embedding";

export type ModelErrorContext = {
  /** Default `model`. */
  family?: FailureFamily;
  id: string;
  /** Texts that the message must not contain, such as the API key. */
  secrets: readonly string[];
};

/** A non-2xx answer. `data`: its body if already read. */
export type RefusedAnswer = {
  status: number;
  statusText: string;
  headers: Record<string, string>;
  body: string | undefined;
  data?: unknown;
};

/** The error of a refused request, with the vendor's message if there is one. */
export function toRefusal({ status, statusText, headers, body, data }: RefusedAnswer, context: ModelErrorContext) {
  const said = readVendorError(data) ?? readVendorError(parseJson(body ?? "null"));
  const retryAfterSeconds = readRetryAfterSeconds(headers) ?? said?.retryAfterSeconds;
  const message = said?.message ?? (statusText || "it gave no reason");
  return fromVendorError({ status, message, code: said?.code, retryAfterSeconds }, context);
}

/** The error that a vendor reports, in a response of its own or inside a stream with status 200. */
export function fromVendorError(error: VendorError, { id, secrets, family = "model" }: ModelErrorContext): WeftError {
  const { status, message, code, retryAfterSeconds } = error;
  const upstream: Upstream = { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  const params = { status, reason: toReason(message, secrets), model: id };
  // A spent quota is a 429 too, but is not temporary.
  const retryable = code === "insufficient_quota" ? { retryable: false } : {};
  return new WeftError(`${family}-${toErrorKind(status, code)}`, { params, upstream, ...retryable });
}

/**
 * Google refuses a wrong key with 400 and this reason, Cohere a blocked one with 498; Bedrock uses 408 and 424 for
 * models.
 */
function toErrorKind(status: number, code: string | undefined) {
  if (status === 401 || status === 403 || status === 498 || code === "API_KEY_INVALID") return "unauthorized";
  if (status === 429) return "rate-limited";
  return status >= 500 || status === 408 || status === 424 ? "unavailable" : "invalid-request";
}

/**
 * The error of a failed connection: before a response the server is unreachable, afterwards its answer was interrupted.
 * An egress refusal and other `WeftError`s stay unchanged; undefined for an error that is not the network's.
 */
export function fromConnection(error: unknown, context: ModelErrorContext, isAnswered: boolean): WeftError | undefined {
  const known = findWeftError(error);
  if (known !== undefined && known.code !== "egress-failed" && known.code !== "egress-timeout") return known;
  if (known === undefined && !isNetworkError(error)) return undefined;
  if (isAnswered) return interrupted(context.family);
  return unreachable(known?.message.replace(/\.$/, "") ?? describeNetworkError(error, context.secrets), context.family);
}

export const brokenOff = "it ended before it was complete";

/** The connection was lost after the answer had begun. */
function interrupted(family: FailureFamily = "model"): WeftError {
  return family === "model" ? new WeftError("model-interrupted") : invalidAnswer(brokenOff, family);
}

export function unreachable(reason: string, family: FailureFamily = "model"): WeftError {
  return new WeftError(`${family}-unreachable`, { params: { reason } });
}

export function invalidAnswer(reason: string, family: FailureFamily = "model"): WeftError {
  return new WeftError(`${family}-invalid-answer`, { params: { reason } });
}

/** The vendor's library or our adapter rejected the request; nothing was sent. */
export function unsent(reason: string): WeftError {
  return new WeftError("model-invalid-request", { params: { status: "none, it was not sent", reason } });
}

/**
 * Describes a response that is not an answer, never quoting it: it may be a proxy's page, or another customer's data.
 */
export function unreadable(body: string | undefined, family?: FailureFamily): WeftError {
  const text = body?.trimStart();
  if (text === undefined) return interrupted(family);
  if (text === "") return invalidAnswer("it is empty", family);
  const isPage = text.startsWith("<");
  const reason = isPage ? "it is a web page; check the base URL" : "it is not the JSON that the API promises";
  return invalidAnswer(reason, family);
}

/**
 * Seconds to wait, from `Retry-After` (RFC 9110, 10.2.3): a number of seconds, or a date read against the answer's own
 * `Date`, so that neither clock matters. OpenAI's `retry-after-ms` is more precise and wins. Undefined if there is
 * none.
 */
function readRetryAfterSeconds(headers: Record<string, string>): number | undefined {
  const ms = headers["retry-after-ms"];
  if (ms !== undefined && /^\d+(\.\d+)?$/.test(ms)) return Math.ceil(Number(ms) / 1000);
  const value = headers["retry-after"]?.trim();
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value));
  const seconds = Math.ceil((Date.parse(value) - Date.parse(headers.date ?? "")) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
