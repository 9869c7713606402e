import { findDecoder } from "./decode-body.ts";
import type { ResponseHeaders } from "./destination.ts";
import type { ExchangeDeps } from "./exchange.ts";
import type { Hop } from "./hop.ts";
import { type Final, followHops, type RedirectPolicy } from "./hops.ts";
import { decodePieces, type Pieces } from "./pieces.ts";
import { type FindRedactors, redactHead, redactUrl } from "./redact-answer.ts";
import type { Redactor } from "./secret-vault.ts";
import { sendOnWire, type WireBody } from "./wire.ts";

/** An answer whose body is handed over, decompressed. `redactors` take out of it what the head is free of already. */
export type LiveAnswer = {
  status: number;
  statusText: string;
  headers: ResponseHeaders;
  url: URL;
  body: Pieces;
  redactors: readonly Redactor[];
};

type Options = { redirects: RedirectPolicy; signal: AbortSignal };

/** Sends a request, as `followHops`. Aborting ends the body, too. */
export function openLiveAnswer(deps: ExchangeDeps, first: Hop, { redirects, signal }: Options): Promise<LiveAnswer> {
  const { agent, allowList, vault, findRedactors } = deps;
  return followHops<WireBody, LiveAnswer>(first, {
    allowList,
    vault,
    redirects,
    signal,
    send: (hop) => sendOnWire(agent, hop, signal),
    drain,
    finish: (final) => toLiveAnswer(final, findRedactors),
  });
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

function toLiveAnswer({ hop, sent, received }: Final<WireBody>, findRedactors: FindRedactors): LiveAnswer {
  const decoder = findDecoder(hop.method, received);
  const redactors = findRedactors(sent);
  const { statusCode: status, body } = received;
  return {
    ...redactHead({ ...received, headers: decoder?.headers ?? received.headers }, redactors),
    status,
    url: redactUrl(hop.url),
    body: decoder === undefined ? body : decodePieces(body, decoder.decode),
    redactors,
  };
}
