import { Buffer } from "node:buffer";
import { pipeline, type Readable, Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Agent } from "undici";
import type { AllowList } from "./allow-list.ts";
import { checkDestination, type ResponseHeaders } from "./destination.ts";
import { EgressFailure, toEgressError } from "./failure.ts";
import { followRedirect, type Hop, isReplayable } from "./hop.ts";
import { formsOf } from "./secret-forms.ts";
import {
  createRedactor,
  type Encode,
  fillBytes,
  type Redactor,
  redactionMark,
  type SecretVault,
  withoutStandIns,
} from "./secret-vault.ts";

/** An answer whose body is still arriving, decompressed. Whoever holds it must read or destroy the body. */
export type Exchange = {
  status: number;
  statusText: string;
  headers: ResponseHeaders;
  body: Readable;
  url: URL;
  redirected: boolean;
};

export type ExchangeDeps = { agent: Agent; allowList: AllowList; vault: SecretVault };

/** What to do with redirects: follow up to a number of them, answer with the first one, or fail on it. */
export type RedirectPolicy = { mode: "follow"; limit: number } | { mode: "manual" } | { mode: "error" };

type ExchangeOptions = { redirects: RedirectPolicy; signal?: AbortSignal | undefined };

/**
 * Sends a request and follows redirects, each hop checked anew.
 * Rejects with an `egress-*` error that names the hop, or with the signal's reason.
 */
export async function exchange(deps: ExchangeDeps, first: Hop, options: ExchangeOptions): Promise<Exchange> {
  let hop = first;
  for (let redirects = 0; ; redirects += 1) {
    try {
      const step = await takeHop(deps, hop, { ...options, taken: redirects });
      if (!("next" in step)) return { ...step, redirected: redirects > 0 };
      hop = step.next;
    } catch (error) {
      throw options.signal?.aborted ? options.signal.reason : toEgressError(error, hop.url);
    }
  }
}

async function takeHop(
  deps: ExchangeDeps,
  hop: Hop,
  options: ExchangeOptions & { taken: number },
): Promise<Omit<Exchange, "redirected"> | { next: Hop }> {
  checkDestination(hop.url, deps.allowList);
  const sent = fillHop(deps.vault, hop);
  const answer = await send(deps.agent, sent, options.signal);
  const location = toLocation(answer.headers.location);
  const next = followRedirect(hop, answer.statusCode, location && deps.vault.hide(location));
  if (next === undefined || options.redirects.mode === "manual") {
    return redactAnswer(toExchange(hop, answer), sent, deps.vault);
  }
  answer.body.dump({ limit: maxDrainedBytes, signal: AbortSignal.timeout(drainMs) }).catch(() => {});
  checkRedirect(hop, next, options.redirects, options.taken);
  return { next };
}

/** The rest of a redirect's body that is read so that its connection can be used again. */
const maxDrainedBytes = 16_384;
/** For a rest that comes byte by byte. */
const drainMs = 1_000;

type Answer = Awaited<ReturnType<Agent["request"]>>;

function send(agent: Agent, hop: Hop, signal: AbortSignal | undefined): Promise<Answer> {
  return agent.request({
    origin: hop.url.origin,
    path: `${hop.url.pathname}${hop.url.search}`,
    method: hop.method,
    headers: hop.headers,
    body: hop.body ?? null,
    signal: signal ?? null,
  });
}

function checkRedirect(hop: Hop, next: Hop, policy: RedirectPolicy, redirects: number): void {
  if (policy.mode === "error") throw new EgressFailure("it answered with a redirect");
  if (policy.mode === "follow" && redirects >= policy.limit) {
    throw new EgressFailure(`it redirected more than ${policy.limit} times`);
  }
  if (next.body !== undefined && !isReplayable(hop)) {
    throw new EgressFailure("it redirected a streamed request, which cannot be sent twice");
  }
}

function toExchange(hop: Hop, answer: Answer): Omit<Exchange, "redirected"> {
  const headers: ResponseHeaders = answer.headers;
  const hasBody = hop.method !== "HEAD" && answer.statusCode !== 204 && answer.statusCode !== 304;
  const decoded = hasBody ? decodeBody(answer.body, headers) : { body: answer.body, headers };
  return { ...decoded, status: answer.statusCode, statusText: answer.statusText, url: hop.url };
}

/** The first value counts. Its bytes are UTF-8 where they are not ASCII, as browsers read them. */
function toLocation(value: string | string[] | undefined): string | undefined {
  const location = Array.isArray(value) ? value[0] : value;
  return location === undefined ? undefined : Buffer.from(location, "latin1").toString("utf8");
}

/**
 * The request as it goes out: with secrets in the place of their stand-ins, each escaped for its place. Throws
 * `credential-host` when one is not bound to the host. A streamed body is sent as it is.
 */
function fillHop(vault: SecretVault, hop: Hop): Hop {
  const headers = Object.entries(hop.headers).map(
    ([name, value]) => [name, fillHeader(vault, value, hop.url)] as const,
  );
  const url = new URL(hop.url);
  url.pathname = vault.fill(url.pathname, hop.url, encodeURIComponent);
  url.search = vault.fill(url.search, hop.url, encodeURIComponent);
  return { ...hop, url, headers: Object.fromEntries(headers), ...fillBody(vault, hop) };
}

/** Surrounding space cannot be sent (RFC 9110, section 5.5). */
function fillHeader(vault: SecretVault, value: string, url: URL): string {
  const trimmed: Encode = (secret) => secret.trim();
  const [, scheme = "", encoded = ""] = /^(Basic )([A-Za-z0-9+/=]+)$/i.exec(value) ?? [];
  const decoded = scheme === "" ? "" : Buffer.from(encoded, "base64").toString();
  if (!vault.holds(decoded)) return vault.fill(value, url, trimmed);
  return scheme + Buffer.from(vault.fill(decoded, url)).toString("base64");
}

function fillBody(vault: SecretVault, { body, headers, url }: Hop): Pick<Hop, "body"> {
  const encode = encoderOf(headers["content-type"] ?? "");
  if (typeof body === "string") return { body: vault.fill(body, url, encode) };
  return body instanceof Uint8Array ? { body: fillBytes(vault, body, url, encode) } : {};
}

function encoderOf(contentType: string): Encode | undefined {
  if (/json/i.test(contentType)) return (value) => JSON.stringify(value).slice(1, -1);
  return /x-www-form-urlencoded/i.test(contentType) ? encodeURIComponent : undefined;
}

/**
 * Undoes `Content-Encoding` (RFC 9110, section 8.4) and takes it and `Content-Length` out of the headers, as neither
 * is true of the decoded bytes. An unknown coding leaves body and headers as they are.
 * The decoders run under the reader's back pressure: a bomb expands no further than its reader reads.
 */
function decodeBody(body: Readable, headers: ResponseHeaders): { body: Readable; headers: ResponseHeaders } {
  const codings = [headers["content-encoding"] ?? []]
    .flat()
    .flatMap((value) => value.toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length === 0 || headers["content-length"] === "0") return { body, headers };
  if (codings.length > maxCodings) throw new EgressFailure(`its answer is compressed ${codings.length} times over`);
  if (!codings.every((coding) => Object.hasOwn(decoders, coding))) return { body, headers };

  const { "content-encoding": _coding, "content-length": _length, ...rest } = headers;
  const decoded = codings.reduceRight<Readable>((input, coding) => pipe(input, decoders[coding]), body);
  return { body: decoded, headers: rest };
}

const maxCodings = 3;

// A body that ends early yields what arrived, as browsers do.
const zlibOptions = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotliOptions = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const decoders: Record<string, () => Transform> = {
  gzip: () => createGunzip(zlibOptions),
  "x-gzip": () => createGunzip(zlibOptions),
  deflate: () => createInflate(zlibOptions),
  br: () => createBrotliDecompress(brotliOptions),
};

function pipe(input: Readable, createDecoder: (() => Transform) | undefined): Readable {
  if (createDecoder === undefined) return input;
  // The callback exists so that a failure reaches the reader alone; the decoder is destroyed with the same error.
  return pipeline(input, createDecoder(), () => {});
}

type Shown = { statusText: string; headers: ResponseHeaders; body: Readable; url: URL };

/**
 * An answer without secrets: neither those that were ever sent, nor what looks like one in the headers of this very
 * request. The body passes through; only the beginning of a possible match is held back.
 */
function redactAnswer<T extends Shown>(answer: T, sent: Hop, vault: SecretVault): T {
  const redactors = [vault.redactor(), createRedactor(secretsOf(sent).flatMap(formsOf))].filter((each) => !each.isIdle);
  const url = new URL(withoutStandIns(answer.url.href, encodeURIComponent(redactionMark)));
  if (redactors.length === 0) return { ...answer, url };
  const redact = (text: string) => redactors.reduce((current, each) => each.text(current), text);
  return {
    ...answer,
    url,
    statusText: redact(answer.statusText),
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(redact) : value && redact(value),
      ]),
    ),
    body: redactors.reduce(redactBody, answer.body),
  };
}

function redactBody(body: Readable, redactor: Redactor): Readable {
  const stream = redactor.open();
  const transform = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const output = stream.push(chunk);
      done(null, output.length === 0 ? undefined : output);
    },
    flush(done) {
      const output = stream.end();
      done(null, output.length === 0 ? undefined : output);
    },
  });
  // The callback exists so that a failure reaches the reader alone; the stream is destroyed with the same error.
  return pipeline(body, transform, () => {});
}

/** Values of headers that a flow wrote out itself, in place of a credential. */
function secretsOf({ headers }: Hop): string[] {
  return Object.entries(headers)
    .filter(([name]) => secretName.test(name))
    .map(([, value]) => value.replace(/^(bearer|basic|token|apikey|digest) +/i, ""))
    .filter((value) => value.length >= minHeaderSecretLength);
}

const secretName = /auth|cookie|secret|token|password|api-?key/;
const minHeaderSecretLength = 8;
