import { setTimeout as sleep } from "node:timers/promises";
import type { HttpResponse } from "@weft/engine/ports/http-client";
import type { ToolContext, ToolResult } from "@weft/engine/ports/tool";
import { type EffectKind, type JsonObject, WeftError } from "@weft/schema";

/** A call that is ready to be sent. `shownUrl` is the URL for traces. */
export type HttpCall = {
  method: string;
  url: string;
  shownUrl: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
};

export type CallPolicy = {
  kind: EffectKind;
  timeoutMs: number;
  maxBytes: number;
  maxCharacters: number;
  /** Retries. A `write` is never repeated, whatever this is. */
  retries: number;
};

/** Statuses of temporary failures (RFC 9110, 15.6). */
const passingStatuses = new Set([502, 503, 504]);
const firstDelayMs = 200;
const longestDelayMs = 2_000;

/**
 * Makes a call and reports its outcome to the model. Every status, and every failure to reach the API, is a result.
 * Retries after a network error or status 502, 503, 504, waiting 200 ms, 400 ms … or as `Retry-After` says up to 2 s.
 * Rejects with the signal's reason if the run is cancelled.
 */
export async function callHttp(call: HttpCall, policy: CallPolicy, context: ToolContext): Promise<ToolResult> {
  const started = performance.now();
  const details: JsonObject = { method: call.method, url: call.shownUrl };
  const attempts = policy.kind === "write" ? 1 : policy.retries + 1;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send(call, policy, context);
    if (attempt < attempts && isPassing(outcome)) {
      await pause(delayMs(attempt, outcome), context.signal);
      continue;
    }
    const durationMs = Math.round(performance.now() - started);
    if (outcome instanceof WeftError) {
      return { content: describeFailure(outcome, policy), isError: true, details: { ...details, durationMs } };
    }
    const content = toAnswerText(outcome, policy.maxCharacters);
    const seen = { ...details, status: outcome.status, durationMs, ...retryAfterOf(outcome) };
    return isSuccess(outcome.status) ? { content, details: seen } : { content, isError: true, details: seen };
  }
}

/** How long to wait before the next call, if the API says so: seconds, or a date (RFC 9110, 10.2.3). */
function retryAfterOf({ status, headers }: HttpResponse): JsonObject {
  const asked = isSuccess(status) ? "" : (headers["retry-after"] ?? "").trim().slice(0, 40);
  return asked === "" ? {} : { retryAfter: /^\d+$/.test(asked) ? `${asked} s` : asked };
}

/** Rejects with the signal's own reason, which the timer would wrap. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

async function send(call: HttpCall, policy: CallPolicy, context: ToolContext): Promise<HttpResponse | WeftError> {
  const { method, url, headers, body } = call;
  const { signal } = context;
  const extra: Record<string, string> =
    policy.kind === "idempotent" ? { "idempotency-key": context.idempotencyKey } : {};
  try {
    return await context.http.request({
      method,
      url,
      headers: { ...headers, ...extra },
      ...(body === undefined ? {} : { body }),
      timeoutMs: policy.timeoutMs,
      maxBytes: policy.maxBytes,
      onTooLarge: "truncate",
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WeftError) return error;
    throw error;
  }
}

function isPassing(outcome: HttpResponse | WeftError): boolean {
  if (outcome instanceof WeftError) return outcome.code === "egress-failed" && outcome.retryable;
  return passingStatuses.has(outcome.status);
}

function delayMs(attempt: number, outcome: HttpResponse | WeftError): number {
  const asked =
    outcome instanceof WeftError ? Number.NaN : Number(outcome.headers["retry-after"] ?? Number.NaN) * 1_000;
  const backoff = firstDelayMs * 2 ** (attempt - 1);
  return Math.min(asked > 0 ? asked : backoff, longestDelayMs);
}

/** A write that may have arrived must not be repeated blindly, so the message tells the model. */
function describeFailure(error: WeftError, policy: CallPolicy): string {
  const mayHaveArrived = policy.kind === "write" && error.code !== "egress-refused" && error.code !== "credential-host";
  return mayHaveArrived
    ? `${error.message} It is unknown whether the call took effect: check before you repeat it.`
    : error.message;
}

/**
 * A response for the model: its text as received, truncated with a note after `maxCharacters`; a sentence for an empty
 * or binary body. Error statuses are named in a sentence.
 */
function toAnswerText(response: HttpResponse, maxCharacters: number): string {
  const status = `${response.status} ${response.statusText}`.trim();
  const isError = !isSuccess(response.status);
  if (response.body.length === 0) {
    return isError ? `The API answered ${status} without a body.` : `${status}: done, the answer has no body.`;
  }
  const text = decodeText(response);
  if (text === undefined) {
    const type = mediaTypeOf(response) || "unknown type";
    const size = response.truncated ? `more than ${response.body.length}` : `${response.body.length}`;
    return `${isError ? "The API answered " : ""}${status}: a binary answer (${type}, ${size} bytes), which is not shown.`;
  }
  const shown = cutText(text, maxCharacters, response.truncated);
  return isError ? `The API answered ${status}: ${shown}` : shown;
}

/** RFC 9110, 15.3. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The text, truncated with a note if too long. `truncated`: the text itself is already truncated. */
export function cutText(text: string, maxCharacters: number, truncated = false): string {
  if (text.length <= maxCharacters && !truncated) return text;
  const head = text.slice(0, maxCharacters);
  const whole = head.isWellFormed() ? head : head.slice(0, -1);
  const total = truncated ? "a longer answer" : `${text.length}`;
  return `${whole}\n[Cut here: the first ${whole.length} characters of ${total}. Ask for less, or for the next part, if the API can.]`;
}

const textTypes =
  /^(text\/.*|application\/(.*\+)?(json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql).*|)$/;

/** The body as text; undefined if it is binary. A body of unknown type is text if it decodes as UTF-8. */
function decodeText(response: HttpResponse): string | undefined {
  const isText = textTypes.test(mediaTypeOf(response));
  try {
    const charset = /charset="?([^";\s]+)/i.exec(response.headers["content-type"] ?? "")?.[1] ?? "utf-8";
    const decoder = new TextDecoder(isKnownCharset(charset) ? charset : "utf-8", { fatal: !isText });
    const text = decoder.decode(response.body, { stream: response.truncated });
    return text.includes("\u0000") ? undefined : text;
  } catch {
    return undefined;
  }
}

function isKnownCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}

function mediaTypeOf(response: HttpResponse): string {
  return (response.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}
