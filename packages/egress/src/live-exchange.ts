import { AsyncResource } from "node:async_hooks";
import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import type { ExchangeAnswer, HttpExchange } from "@weft/engine/ports/http-client";
import { WeftError } from "@weft/schema";
import { findDecoder } from "./decode-body.ts";
import { type EgressDefaults, parseUrl, startDeadline } from "./egress-defaults.ts";
import type { ExchangeDeps } from "./exchange.ts";
import { describeOrigin, EgressFailure, toEgressError } from "./failure.ts";
import type { Hop } from "./hop.ts";
import { type Final, followHops } from "./hops.ts";
import { createBodyLimit } from "./read-body.ts";
import { redactHead } from "./redact-answer.ts";
import type { CallDeps } from "./request.ts";
import { joinHeaders, toRequestHeaders } from "./request-headers.ts";
import type { Redactor } from "./secret-vault.ts";
import { type Sink, sendOnWire, type WireBody } from "./wire.ts";

/**
 * The `HttpExchange` form: nothing stands between the connection and the reader but the checks. Limits, redirects and
 * time are those of `fetch`.
 */
export function createLiveExchange({ open, defaults }: CallDeps): HttpExchange {
  return async (request) => {
    request.signal.throwIfAborted();
    const url = parseUrl(request.url);
    const limitMs = defaults.fetchTimeoutMs;
    const { signal, end } = startDeadline(
      limitMs,
      request.signal,
      () => new WeftError("egress-timeout", { params: { url: describeOrigin(url), limitMs } }),
    );
    const toError = (error: unknown) => (signal.aborted ? signal.reason : toEgressError(error, url));
    try {
      const deps = await open();
      const headers = toRequestHeaders(Object.entries(request.headers), defaults.userAgent);
      const hop: Hop = { method: request.method, url, headers };
      if (request.body !== undefined) hop.body = request.body;
      return await followHops<WireBody, ExchangeAnswer>(hop, {
        allowList: deps.allowList,
        vault: deps.vault,
        redirects: { mode: "follow", limit: defaults.maxRedirects },
        signal,
        send: (next) => sendOnWire(deps.agent, next, signal),
        drain,
        finish: (final) => toAnswer(final, { deps, defaults, toError, ended: end }),
      });
    } catch (error) {
      end();
      throw toError(error);
    }
  };
}

/** The rest of a redirect's body that is taken so that its connection can be used again. */
const maxDrainedBytes = 16_384;
/** For a rest that comes byte by byte. */
const drainMs = 1_000;

function drain(body: WireBody): void {
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

type AnswerOptions = {
  deps: ExchangeDeps;
  defaults: EgressDefaults;
  toError(error: unknown): unknown;
  /** Called once, when nothing more is read. */
  ended(): void;
};

function toAnswer({ hop, sent, received }: Final<WireBody>, options: AnswerOptions): ExchangeAnswer {
  const { statusCode: status, body } = received;
  if (status > 599) {
    body.abort();
    throw new EgressFailure(`it answered with the invalid status ${status}`);
  }
  const decoder = findDecoder(hop.method, received);
  const redactors = options.deps.findRedactors(sent);
  const head = redactHead({ ...received, headers: decoder?.headers ?? received.headers }, redactors);
  const pieces = decoder === undefined ? body : fromReadable(decoder.decode(toReadable(body)));
  const headers = joinHeaders(head.headers);
  const take: Take = (createSink) => takeBody(pieces, createSink, { url: hop.url, headers, options });
  return {
    status,
    statusText: head.statusText,
    headers,
    text: () => readText(take, redactors),
    read: (given) => readPieces(take, AsyncResource.bind(given), redactors),
  };
}

/** A body that is handed over: what the reading forms need of it. */
type Pieces = Pick<WireBody, "pipe" | "abort">;
type Taken = { url: URL; headers: Record<string, string>; options: AnswerOptions };
/** Hands a body over within its limits. The sink may call `stop`, and then hears nothing more. */
type Take = (createSink: (stop: () => void) => Sink) => void;

function takeBody(pieces: Pieces, createSink: Parameters<Take>[0], { url, headers, options }: Taken): void {
  const { defaults, toError, ended } = options;
  const check = createBodyLimit(url, headers["content-type"], defaults);
  const limitMs = defaults.fetchIdleMs;
  const sink = createSink(stop);
  const idle = setTimeout(
    () => fail(new WeftError("egress-timeout", { params: { url: describeOrigin(url), limitMs } })),
    limitMs,
  );

  function settle(): void {
    clearTimeout(idle);
    ended();
  }

  function stop(): void {
    settle();
    pieces.abort();
  }

  function fail(error: unknown): void {
    const reason = toError(error);
    stop();
    sink.error(reason);
  }

  pieces.pipe({
    data(piece) {
      idle.refresh();
      try {
        check(piece);
      } catch (error) {
        return fail(error);
      }
      sink.data(piece);
    },
    end() {
      settle();
      sink.end();
    },
    error: fail,
  });
}

function readText(take: Take, redactors: readonly Redactor[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    take(() => ({
      data: (piece) => void chunks.push(piece),
      end() {
        const [first = Buffer.alloc(0)] = chunks;
        const whole = chunks.length === 1 ? first : Buffer.concat(chunks);
        const text = redactors.reduce<Buffer>((bytes, each) => each.bytes(bytes), whole);
        resolve(text.toString("utf8", hasByteOrderMark(text) ? 3 : 0));
      },
      error: reject,
    }));
  });
}

function hasByteOrderMark(text: Uint8Array): boolean {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;
}

function readPieces(take: Take, hand: (piece: Uint8Array) => void, redactors: readonly Redactor[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const streams = redactors.map((each) => each.open());
    take((stop) => {
      function deliver(piece: Uint8Array): void {
        try {
          if (piece.byteLength > 0) hand(piece);
        } catch (error) {
          stop();
          reject(error);
        }
      }
      return {
        data: (piece) => deliver(streams.reduce<Uint8Array>((bytes, each) => each.push(bytes), piece)),
        end() {
          deliver(endAll(streams));
          resolve();
        },
        error: reject,
      };
    });
  });
}

/** What several redactors one after another held back. */
function endAll(streams: readonly ReturnType<Redactor["open"]>[]): Uint8Array {
  return streams.reduce<Uint8Array>(
    (before, each) => Buffer.concat([before.byteLength === 0 ? before : each.push(before), each.end()]),
    Buffer.alloc(0),
  );
}

/** For decoders, which are streams. */
function toReadable(body: WireBody): Readable {
  const readable = new Readable({
    read: () => body.resume(),
    destroy(error, done) {
      body.abort();
      done(error);
    },
  });
  body.pipe({
    data(piece) {
      if (!readable.push(piece)) body.pause();
    },
    end: () => void readable.push(null),
    error: (error) => void readable.destroy(error as Error),
  });
  return readable;
}

function fromReadable(readable: Readable): Pieces {
  return {
    pipe({ data, end, error }) {
      readable.on("data", data).on("end", end).on("error", error);
    },
    abort() {
      readable.removeAllListeners("data").removeAllListeners("end").removeAllListeners("error");
      readable.on("error", () => {}).destroy();
    },
  };
}
