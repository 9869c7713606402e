import { Buffer } from "node:buffer";
import type { AllowList } from "./allow-list.ts";
import { checkDestination } from "./destination.ts";
import { EgressFailure, toEgressError } from "./failure.ts";
import { fillHop } from "./fill-hop.ts";
import { followRedirect, type Hop, isReplayable } from "./hop.ts";
import type { SecretVault } from "./secret-vault.ts";
import type { Received } from "./wire.ts";

/** How to treat redirects: follow up to a limit, answer with the first one, or fail. */
export type RedirectPolicy = { mode: "follow"; limit: number } | { mode: "manual" } | { mode: "error" };

/** The answer after redirects. `hop`: the request with placeholders, `sent`: with secrets. */
export type Final<Body> = { hop: Hop; sent: Hop; received: Received<Body>; redirected: boolean };

type Walk<Body, Result> = {
  allowList: AllowList;
  vault: SecretVault;
  redirects: RedirectPolicy;
  signal: AbortSignal;
  send(hop: Hop): Promise<Received<Body>>;
  /** Frees the connection of a redirect. */
  drain(body: Body): void;
  finish(final: Final<Body>): Result;
};

/**
 * Sends a request and follows redirects; each hop is checked, and gets its own secrets.
 * Rejects with an `egress-*` error that names the hop, or with the signal's reason.
 */
export async function followHops<Body, Result>(first: Hop, walk: Walk<Body, Result>): Promise<Result> {
  let hop = first;
  for (let taken = 0; ; taken += 1) {
    try {
      checkDestination(hop.url, walk.allowList);
      const sent = fillHop(walk.vault, hop);
      const received = await walk.send(sent);
      const location = toLocation(received.headers.location);
      const next = followRedirect(hop, received.statusCode, location && walk.vault.hide(location));
      if (next === undefined || walk.redirects.mode === "manual") {
        return walk.finish({ hop, sent, received, redirected: taken > 0 });
      }
      walk.drain(received.body);
      checkRedirect(hop, next, walk.redirects, taken);
      hop = next;
    } catch (error) {
      throw walk.signal.aborted ? walk.signal.reason : toEgressError(error, hop.url);
    }
  }
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

/** The first value counts. Non-ASCII bytes are read as UTF-8, as in browsers. */
function toLocation(value: string | string[] | undefined): string | undefined {
  const location = Array.isArray(value) ? value[0] : value;
  return location === undefined ? undefined : Buffer.from(location, "latin1").toString("utf8");
}
