import { pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { AllowList, ResponseHeaders } from "./destination.ts";
import { EgressFailure } from "./failure.ts";
import { type Final, followHops, type RedirectPolicy } from "./hops.ts";
import { decodePieces, type Pieces } from "./pieces.ts";
import { formsOf } from "./secret-forms.ts";
import { createRedactor, type Redactor, redactionMark, type SecretVault, withoutPlaceholders } from "./secret-vault.ts";
import { type Hop, sendOnWire, type Wire, type WireBody } from "./wire.ts";

export type AnswerDeps = Wire & { allowList: AllowList; vault: SecretVault; findRedactors: FindRedactors };

/** An answer with a decompressed body. `redactors` remove from the body what was already removed from the head. */
export type LiveAnswer = {
  status: number;
  statusText: string;
  headers: ResponseHeaders;
  url: URL;
  redirected: boolean;
  /** Must be read, drained or aborted. */
  body: Pieces;
  redactors: readonly Redactor[];
};

type Options = { redirects: RedirectPolicy; signal: AbortSignal };

/** Sends a request, like `followHops`. Aborting ends the body, too. */
export function openLiveAnswer(deps: AnswerDeps, first: Hop, { redirects, signal }: Options): Promise<LiveAnswer> {
  const { allowList, vault, findRedactors } = deps;
  return followHops<WireBody, LiveAnswer>(first, {
    allowList,
    vault,
    redirects,
    signal,
    send: (hop) => sendOnWire(deps, hop, signal),
    drain,
    finish: (final) => toLiveAnswer(final, findRedactors),
  });
}

/** Rest of an unread body that is read so that its connection can be reused. */
const maxDrainedBytes = 16_384;
/** For a rest that arrives byte by byte. */
const drainMs = 1_000;

/** Drains a body that nothing reads. */
export function drain(body: Pieces): void {
  let left = maxDrainedBytes;
  const timer = setTimeout(body.abort, drainMs);
  const stop = () => clearTimeout(timer);
  body.pipe({
    data(piece) {
      left -= piece.byteLength;
      if (left >= 0) return;
      stop();
      body.abort();
    },
    end: stop,
    error: stop,
  });
}

function toLiveAnswer({ hop, sent, received, redirected }: Final<WireBody>, findRedactors: FindRedactors): LiveAnswer {
  const decoder = findDecoder(hop.method, received);
  const redactors = findRedactors(sent);
  const { statusCode: status, body } = received;
  return {
    ...redactHead({ ...received, headers: decoder?.headers ?? received.headers }, redactors),
    status,
    url: redactUrl(hop.url),
    redirected,
    body: decoder === undefined ? body : decodePieces(body, decoder.decode),
    redactors,
  };
}

/**
 * Finds what an answer must not contain: secrets that were ever sent, and likely secrets in the request's own headers.
 */
type FindRedactors = (sent: Hop) => readonly Redactor[];

/** Redactors of headers that are kept; oldest evicted first. */
const maxKept = 100;

export function createFindRedactors(vault: SecretVault): FindRedactors {
  const kept = new Map<string, Redactor>();

  function ofHeaders(secrets: readonly string[]): Redactor {
    const key = secrets.join("\n");
    const known = kept.get(key);
    if (known !== undefined) return known;
    const redactor = createRedactor(secrets.flatMap(formsOf));
    kept.set(key, redactor);
    if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? "");
    return redactor;
  }

  return (sent) => {
    const found = [vault.redactor()];
    const unknown = secretsOf(sent).filter((value) => !vault.knows(value));
    if (unknown.length > 0) found.push(ofHeaders(unknown));
    return found.filter(({ isIdle }) => !isIdle);
  };
}

/** Values of headers that a flow spelt out itself instead of using a credential. */
function secretsOf({ headers }: Hop): string[] {
  const found: string[] = [];
  for (const name of Object.keys(headers)) {
    if (!secretName.test(name)) continue;
    const value = headers[name]?.replace(/^(bearer|basic|token|apikey|digest) +/i, "") ?? "";
    if (value.length >= minHeaderSecretLength) found.push(value);
  }
  return found;
}

const secretName = /auth|cookie|secret|token|password|api-?key/;
const minHeaderSecretLength = 8;

/** The address of an answer, redacted for display. */
function redactUrl(url: URL): URL {
  const shown = withoutPlaceholders(url.href, encodeURIComponent(redactionMark));
  return shown === url.href ? url : new URL(shown);
}

type Head = { statusText: string; headers: ResponseHeaders };

/** The head of an answer, without secrets. */
function redactHead({ statusText, headers }: Head, redactors: readonly Redactor[]): Head {
  const redact = (text: string) => redactors.reduce((current, each) => each.text(current), text);
  // One look at everything usually suffices: there are no secrets.
  const whole = `${statusText}\n${Object.values(headers).flat().join("\n")}`;
  if (redact(whole) === whole) return { statusText, headers };
  const redacted = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(redact) : value && redact(value),
  ]);
  return { statusText: redact(statusText), headers: Object.fromEntries(redacted) };
}

type Encoded = { statusCode: number; headers: ResponseHeaders };

/** Decodes a body; `headers` are those that hold for the decoded bytes. */
type Decoder = { headers: ResponseHeaders; decode(body: Readable): Readable };

/**
 * The decoder for `Content-Encoding` (RFC 9110, section 8.4); its headers omit that and `Content-Length`. Undefined if
 * there is nothing to decode, no body, or an unknown coding. Throws `EgressFailure` for more codings than anything
 * needs.
 * The decoders run under the reader's back pressure: a bomb expands no further than its reader reads.
 */
function findDecoder(method: string, { statusCode, headers }: Encoded): Decoder | undefined {
  if (method === "HEAD" || statusCode === 204 || statusCode === 304) return undefined;
  const coding = headers["content-encoding"];
  if (coding === undefined || headers["content-length"] === "0") return undefined;
  const codings = [coding]
    .flat()
    .flatMap((value) => value.toLowerCase().split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (codings.length > maxCodings) throw new EgressFailure(`its answer is compressed ${codings.length} times over`);
  if (codings.length === 0 || !codings.every((name) => Object.hasOwn(decoders, name))) return undefined;
  const { "content-encoding": _coding, "content-length": _length, ...rest } = headers;
  return {
    headers: rest,
    decode: (body) => codings.reduceRight<Readable>((input, name) => pipe(input, decoders[name]), body),
  };
}

const maxCodings = 3;

// A truncated body yields what arrived, as browsers do.
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
  // The callback exists so that a failure reaches only the reader; the decoder is destroyed with the same error.
  return pipeline(input, createDecoder(), () => {});
}
