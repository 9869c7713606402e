import type { HttpClient, HttpRequest, HttpResponse } from "@weft/engine/ports/http-client";
import { WeftError } from "@weft/schema";
import { type EgressDefaults, parseUrl, startDeadline } from "./egress-defaults.ts";
import { type Exchange, type ExchangeDeps, exchange } from "./exchange.ts";
import { describeOrigin, toEgressError } from "./failure.ts";
import type { Hop } from "./hop.ts";
import type { RedirectPolicy } from "./hops.ts";
import { readBody } from "./read-body.ts";
import { joinHeaders, toRequestHeaders } from "./request-headers.ts";

export type CallDeps = { open: () => Promise<ExchangeDeps>; defaults: EgressDefaults };

/** The `HttpClient` form: a whole answer within limits of time and size. `maxRedirects: 0` answers with the redirect itself. */
export function createRequest({ open, defaults }: CallDeps): HttpClient["request"] {
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
      const answer = await exchange(await open(), toHop(request, url, defaults), {
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

async function toResponse(answer: Exchange, request: HttpRequest, defaults: EgressDefaults): Promise<HttpResponse> {
  const { body, truncated } = await readBody(answer, {
    maxBytes: request.maxBytes ?? defaults.maxBytes,
    onTooLarge: request.onTooLarge ?? "error",
  });
  return {
    status: answer.status,
    statusText: answer.statusText,
    headers: joinHeaders(answer.headers),
    body,
    truncated,
    url: answer.url.href,
  };
}
