import type { Readable } from "node:stream";
import type { Agent } from "undici";
import type { AllowList } from "./allow-list.ts";
import { decodeBody } from "./decode-body.ts";
import { checkDestination } from "./destination.ts";
import { EgressFailure, toEgressError } from "./failure.ts";
import { fillHop } from "./fill-hop.ts";
import { followRedirect, type Hop, isReplayable } from "./hop.ts";
import { redactAnswer } from "./redact-answer.ts";
import type { ResponseHeaders } from "./response-headers.ts";
import type { SecretVault } from "./secret-vault.ts";

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

export type ExchangeOptions = { redirects: RedirectPolicy; signal?: AbortSignal | undefined };

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
