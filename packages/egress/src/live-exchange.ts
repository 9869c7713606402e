import { AsyncResource } from "node:async_hooks";
import { Buffer } from "node:buffer";
import type { HttpExchange } from "@weft/engine/ports/http-client";
import { WeftError } from "@weft/schema";
import type { EgressDefaults } from "./call.ts";
import { joinHeaders, parseUrl, startDeadline, toRequestHeaders } from "./call.ts";
import { describeOrigin, EgressFailure, toEgressError } from "./failure.ts";
import { openLiveAnswer } from "./live-answer.ts";
import { limitPieces, type Pieces, redactPieces } from "./pieces.ts";
import type { OpenAnswer } from "./request.ts";
import type { Redactor } from "./secret-vault.ts";
import type { Hop } from "./wire.ts";

/**
 * The `HttpExchange` form: only the checks are between the connection and the reader. Limits, redirects and time are
 * those of `fetch`.
 */
export function createLiveExchange(open: OpenAnswer, defaults: EgressDefaults): HttpExchange {
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
      const headers = toRequestHeaders(Object.entries(request.headers), defaults.userAgent);
      const hop: Hop = { method: request.method, url, headers };
      if (request.body !== undefined) hop.body = request.body;
      const redirects = { mode: "follow", limit: defaults.maxRedirects } as const;
      const answer = await openLiveAnswer(await open(), hop, { redirects, signal });
      const { status, statusText, redactors } = answer;
      if (status > 599) {
        answer.body.abort();
        throw new EgressFailure(`it answered with the invalid status ${status}`);
      }
      const joined = joinHeaders(answer.headers);
      const limits = { url: answer.url, contentType: joined["content-type"], defaults, ended: end };
      const body = limitPieces(answer.body, limits);
      return {
        status,
        statusText,
        headers: joined,
        text: (count) => readText(body, { redactors, toError, count }),
        read: (take) => readPieces(redactPieces(body, redactors), AsyncResource.bind(take), toError),
      };
    } catch (error) {
      end();
      throw toError(error);
    }
  };
}

type ToError = (error: unknown) => unknown;

type TextOptions = {
  redactors: readonly Redactor[];
  toError: ToError;
  count: ((piece: Uint8Array) => void) | undefined;
};

async function readText(body: Pieces, { redactors, toError, count }: TextOptions): Promise<string> {
  const chunks: Buffer[] = [];
  const keep = (piece: Buffer) => {
    count?.(piece);
    chunks.push(piece);
  };
  await readPieces(body, keep, toError);
  const [first = Buffer.alloc(0)] = chunks;
  const whole = chunks.length === 1 ? first : Buffer.concat(chunks);
  const text = redactors.reduce<Buffer>((bytes, each) => each.bytes(bytes), whole);
  return text.toString("utf8", hasByteOrderMark(text) ? 3 : 0);
}

function hasByteOrderMark(text: Uint8Array): boolean {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;
}

function readPieces(body: Pieces, take: (piece: Buffer) => void, toError: ToError): Promise<void> {
  return new Promise((resolve, reject) => {
    body.pipe({
      data(piece) {
        try {
          take(piece);
        } catch (error) {
          body.abort();
          reject(error);
        }
      },
      end: resolve,
      error: (error) => reject(toError(error)),
    });
  });
}
