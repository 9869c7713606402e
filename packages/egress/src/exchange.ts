import type { Readable } from "node:stream";
import type { Agent } from "undici";
import type { AllowList } from "./allow-list.ts";
import { findDecoder } from "./decode-body.ts";
import type { ResponseHeaders } from "./destination.ts";
import type { Hop } from "./hop.ts";
import { type Final, followHops, type RedirectPolicy } from "./hops.ts";
import { type FindRedactors, redactBody, redactHead, redactUrl } from "./redact-answer.ts";
import type { SecretVault } from "./secret-vault.ts";
import { toDispatch } from "./wire.ts";

/** An answer whose body is still arriving, decompressed and without secrets. The caller must read or destroy the body. */
export type Exchange = {
  status: number;
  statusText: string;
  headers: ResponseHeaders;
  body: Readable;
  url: URL;
  redirected: boolean;
};

export type ExchangeDeps = {
  agent: Agent;
  allowList: AllowList;
  vault: SecretVault;
  findRedactors: FindRedactors;
};

type ExchangeOptions = { redirects: RedirectPolicy; signal: AbortSignal };

/** Sends a request, as `followHops`; the body of its answer is a stream. */
export function exchange(deps: ExchangeDeps, first: Hop, { redirects, signal }: ExchangeOptions): Promise<Exchange> {
  const { agent, allowList, vault, findRedactors } = deps;
  return followHops<Readable, Exchange>(first, {
    allowList,
    vault,
    redirects,
    signal,
    send: (hop) => agent.request({ ...toDispatch(hop), signal }),
    drain,
    finish: (final) => toExchange(final, findRedactors),
  });
}

/** The rest of a redirect's body that is read so that its connection can be used again. */
const maxDrainedBytes = 16_384;
/** For a rest that comes byte by byte. */
const drainMs = 1_000;

function drain(body: Readable): void {
  const { dump } = body as Awaited<ReturnType<Agent["request"]>>["body"];
  dump.call(body, { limit: maxDrainedBytes, signal: AbortSignal.timeout(drainMs) }).catch(() => {});
}

function toExchange({ hop, sent, received, redirected }: Final<Readable>, findRedactors: FindRedactors): Exchange {
  const { statusCode: status, body } = received;
  const decoder = findDecoder(hop.method, received);
  const redactors = findRedactors(sent);
  const head = redactHead({ ...received, headers: decoder?.headers ?? received.headers }, redactors);
  const decoded = decoder?.decode(body) ?? body;
  return { ...head, status, body: redactors.reduce(redactBody, decoded), url: redactUrl(hop.url), redirected };
}
