import { Readable } from "node:stream";
import { WeftError } from "@weft/schema";
import { type EgressDefaults, parseUrl, startDeadline, toRequestHeaders } from "./call.ts";
import { describeOrigin, EgressFailure, toEgressError } from "./failure.ts";
import type { RedirectPolicy } from "./hops.ts";
import { drain, type LiveAnswer, openLiveAnswer } from "./live-answer.ts";
import { createBodyLimit, redactPieces } from "./pieces.ts";
import type { OpenAnswer } from "./request.ts";
import type { Hop } from "./wire.ts";

export type Fetch = typeof globalThis.fetch;

/** The `fetch` form: the body streams. Its time ends with the signal, at the latest after `fetchTimeoutMs`. */
export function createFetch(open: OpenAnswer, defaults: EgressDefaults): Fetch {
  return async (input, init) => {
    const call = toCall(input, init);
    call.signal?.throwIfAborted();
    const url = parseUrl(call.url);
    const limitMs = defaults.fetchTimeoutMs;
    const deadline = startDeadline(
      limitMs,
      call.signal,
      () => new WeftError("egress-timeout", { params: { url: describeOrigin(url), limitMs } }),
    );
    const { signal } = deadline;
    const toError = (error: unknown) => (signal.aborted ? signal.reason : toEgressError(error, url));
    try {
      const answer = await openLiveAnswer(await open(), await toHop(call, url, defaults), {
        redirects: toRedirectPolicy(call.redirect, defaults.maxRedirects),
        signal,
      });
      return toResponse(answer, { limits: defaults, toError, ended: deadline.end });
    } catch (error) {
      deadline.end();
      throw toError(error);
    }
  };
}

type Call = {
  url: string;
  method: string;
  headers: RequestInit["headers"];
  body: RequestInit["body"];
  redirect: RequestInit["redirect"];
  signal: AbortSignal | undefined;
};

function toCall(input: Parameters<Fetch>[0], init: RequestInit = {}): Call {
  const base = input instanceof Request ? input : undefined;
  return {
    url: base?.url ?? String(input),
    method: init.method ?? base?.method ?? "GET",
    headers: init.headers ?? base?.headers,
    body: init.body ?? base?.body,
    redirect: init.redirect ?? base?.redirect,
    signal: init.signal ?? base?.signal,
  };
}

async function toHop(call: Call, url: URL, defaults: EgressDefaults): Promise<Hop> {
  const entries = headerEntries(call.headers);
  const hop: Hop = { method: call.method.toUpperCase(), url, headers: toRequestHeaders(entries, defaults.userAgent) };
  if (call.body === undefined || call.body === null) return hop;
  const { body, contentType } = await toBody(call.body);
  if (contentType === null) return { ...hop, body };
  return { ...hop, body, headers: { "content-type": contentType, ...hop.headers } };
}

function headerEntries(headers: RequestInit["headers"]): Iterable<readonly [string, string]> {
  if (headers === undefined || headers === null) return [];
  if (headers instanceof Headers) return headers;
  if (Symbol.iterator in headers) return headers as Iterable<readonly [string, string]>;
  return Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

type Body = { body: string | Uint8Array | Readable; contentType: string | null };

/** Everything but a stream becomes bytes, so that a redirect can send it again. */
async function toBody(body: NonNullable<RequestInit["body"]>): Promise<Body> {
  if (typeof body === "string") return { body, contentType: "text/plain;charset=UTF-8" };
  if (body instanceof Uint8Array) return { body, contentType: null };
  if (Symbol.asyncIterator in body) return { body: Readable.from(body), contentType: null };
  const encoded = new Response(body as ConstructorParameters<typeof Response>[0]);
  return { body: new Uint8Array(await encoded.arrayBuffer()), contentType: encoded.headers.get("content-type") };
}

function toRedirectPolicy(mode: RequestInit["redirect"], limit: number): RedirectPolicy {
  return mode === "manual" || mode === "error" ? { mode } : { mode: "follow", limit };
}

function toResponse(answer: LiveAnswer, options: Parameters<typeof streamBody>[1]): Response {
  if (answer.status > 599) {
    answer.body.abort();
    throw new EgressFailure(`it answered with the invalid status ${answer.status}`);
  }
  const response = new Response(bodylessStatuses.has(answer.status) ? null : streamBody(answer, options), {
    status: answer.status,
    statusText: answer.statusText.replaceAll(/[^\t\x20-\x7e]/g, ""),
    headers: toHeaders(answer),
  });
  if (bodylessStatuses.has(answer.status)) {
    drain(answer.body);
    options.ended();
  }
  // The constructor leaves both at their defaults.
  Object.defineProperty(response, "url", { value: answer.url.href });
  Object.defineProperty(response, "redirected", { value: answer.redirected });
  return response;
}

/** Statuses for which the `Response` constructor accepts no body (Fetch standard, "null body status"). */
const bodylessStatuses = new Set([101, 103, 204, 205, 304]);

function toHeaders(answer: LiveAnswer): [string, string][] {
  return Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((single): [string, string] => [name, single]),
  );
}

type StreamOptions = {
  limits: EgressDefaults;
  toError: (error: unknown) => unknown;
  /** Called once, when nothing more is read. */
  ended: () => void;
};

/**
 * A body as a web stream that fails as `createBodyLimit` says, and with `egress-timeout` if it stalls for `fetchIdleMs`
 * while its reader waits. Reads on demand.
 */
function streamBody(answer: LiveAnswer, options: StreamOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { url, headers } = answer;
  const { limits, toError, ended } = options;
  const limitMs = limits.fetchIdleMs;
  const body = redactPieces(answer.body, answer.redactors);
  const check = createBodyLimit(url, String(headers["content-type"] ?? ""), limits);
  let idle: NodeJS.Timeout | undefined;
  let isOpen = false;

  function leave(): void {
    clearTimeout(idle);
    body.abort();
    ended();
  }

  function open(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>, fail: (error: unknown) => void) {
    isOpen = true;
    body.pipe({
      data(piece) {
        clearTimeout(idle);
        try {
          check(piece);
          // First, since a waiting reader asks for more at once.
          body.pause();
          controller.enqueue(piece as Buffer<ArrayBuffer>);
        } catch (error) {
          fail(error);
        }
      },
      end() {
        clearTimeout(idle);
        controller.close();
        ended();
      },
      error: fail,
    });
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const fail = (error: unknown) => {
          leave();
          controller.error(toError(error));
        };
        const stoodStill = () => new WeftError("egress-timeout", { params: { url: describeOrigin(url), limitMs } });
        idle = setTimeout(() => fail(stoodStill()), limitMs);
        if (isOpen) body.resume();
        else open(controller, fail);
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
