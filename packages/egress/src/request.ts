import type { HttpClient, HttpRequest, HttpResponse } from "@weft/engine/ports/http-client";
import { WeftError } from "@weft/schema";
import { type EgressDefaults, joinHeaders, parseUrl, startDeadline, toRequestHeaders } from "./call.ts";
import { describeOrigin, toEgressError } from "./failure.ts";
import type { RedirectPolicy } from "./hops.ts";
import { type AnswerDeps, type LiveAnswer, openLiveAnswer } from "./live-answer.ts";
import { redactPieces, tooLarge } from "./pieces.ts";
import type { Hop } from "./wire.ts";

export type OpenAnswer = () => Promise<AnswerDeps>;

/**
 * The `HttpClient` form: a whole answer within limits of time and size. `maxRedirects: 0` answers with the redirect
 * itself.
 */
export function createRequest(open: OpenAnswer, defaults: EgressDefaults): HttpClient["request"] {
  return async (request) => {
    request.signal?.throwIfAborted();
    const url = parseUrl(request.url);
    const limitMs = request.timeoutMs ?? defaults.timeoutMs;
    const deadline = startDeadline(
      limitMs,
      request.signal,
      () => new WeftError("egress-timeout", { params: { url: describeOrigin(url), limitMs } }),
    );
    try {
      const answer = await openLiveAnswer(await open(), toHop(request, url, defaults), {
        redirects: toRedirectPolicy(request.maxRedirects ?? defaults.maxRedirects),
        signal: deadline.signal,
      });
      return await toResponse(answer, request, defaults);
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : toEgressError(error, url);
    } finally {
      deadline.end();
    }
  };
}

function toHop(request: HttpRequest, url: URL, defaults: EgressDefaults): Hop {
  const headers = toRequestHeaders(Object.entries(request.headers ?? {}), defaults.userAgent);
  const hop: Hop = { method: request.method.toUpperCase(), url, headers };
  return request.body === undefined ? hop : { ...hop, body: request.body };
}

function toRedirectPolicy(maxRedirects: number): RedirectPolicy {
  return maxRedirects === 0 ? { mode: "manual" } : { mode: "follow", limit: maxRedirects };
}

async function toResponse(answer: LiveAnswer, request: HttpRequest, defaults: EgressDefaults): Promise<HttpResponse> {
  const { status, statusText, headers, url } = answer;
  const { body, truncated } = await readBody(answer, {
    maxBytes: request.maxBytes ?? defaults.maxBytes,
    onTooLarge: request.onTooLarge ?? "error",
  });
  return { status, statusText, headers: joinHeaders(headers), body, truncated, url: url.href };
}

type BodyLimit = { maxBytes: number; onTooLarge: "error" | "truncate" };

type Whole = { body: Uint8Array<ArrayBuffer>; truncated: boolean };

/** Reads a body to its end or to the limit, whichever comes first, and then leaves nothing open. */
function readBody(answer: LiveAnswer, { maxBytes, onTooLarge }: BodyLimit): Promise<Whole> {
  const body = redactPieces(answer.body, answer.redactors);
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    body.pipe({
      data(piece) {
        sizeBytes += piece.byteLength;
        chunks.push(piece);
        if (sizeBytes <= maxBytes) return;
        body.abort();
        if (onTooLarge === "error") reject(tooLarge(answer.url, maxBytes));
        else resolve({ body: concat(chunks, maxBytes), truncated: true });
      },
      end: () => resolve({ body: concat(chunks, sizeBytes), truncated: false }),
      error: reject,
    });
  });
}

function concat(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const chunk of chunks) {
    const fitting = chunk.subarray(0, sizeBytes - offset);
    whole.set(fitting, offset);
    offset += fitting.byteLength;
  }
  return whole;
}
