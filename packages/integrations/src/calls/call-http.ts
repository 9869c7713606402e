import { setTimeout as sleep } from "node:timers/promises";
import type { HttpResponse, ToolContext, ToolResult } from "@weft/engine";
import { type EffectKind, type JsonObject, WeftError } from "@weft/schema";
import { isSuccess, toAnswerText } from "./answer-text.ts";

/** One call, ready to be sent. `shownUrl` is the address as traces may show it. */
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
  /** Further attempts. A `write` is never repeated, whatever this says. */
  retries: number;
};

/** Statuses that say "not now" (RFC 9110, 15.6). */
const passingStatuses = new Set([502, 503, 504]);
const firstDelayMs = 200;
const longestDelayMs = 2_000;

/**
 * Makes a call and tells the model what came of it. Every status, and every failure to reach the API, is a result.
 * Repeats after a network error or status 502, 503, 504, waiting 200 ms, 400 ms … or as `Retry-After` says up to 2 s.
 * Rejects with the signal's reason when the run is cancelled.
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
    const seen = { ...details, status: outcome.status, durationMs };
    return isSuccess(outcome.status) ? { content, details: seen } : { content, isError: true, details: seen };
  }
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

/** A write that may have arrived must not be repeated blindly, so the model is told. */
function describeFailure(error: WeftError, policy: CallPolicy): string {
  const mayHaveArrived = policy.kind === "write" && error.code !== "egress-refused" && error.code !== "credential-host";
  return mayHaveArrived
    ? `${error.message} It is unknown whether the call took effect: check before you repeat it.`
    : error.message;
}
