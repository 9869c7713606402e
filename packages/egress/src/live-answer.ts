import type { Agent } from "undici";
import type { AllowList } from "./allow-list.ts";
import { findDecoder } from "./decode-body.ts";
import type { ResponseHeaders } from "./destination.ts";
import type { Hop } from "./hop.ts";
import { type Final, followHops, type RedirectPolicy } from "./hops.ts";
import { decodePieces, type Pieces } from "./pieces.ts";
import { type FindRedactors, redactHead, redactUrl } from "./redact-answer.ts";
import type { Redactor, SecretVault } from "./secret-vault.ts";
import { sendOnWire, type WireBody } from "./wire.ts";

export type AnswerDeps = { agent: Agent; allowList: AllowList; vault: SecretVault; findRedactors: FindRedactors };

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
