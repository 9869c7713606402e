import type { Clock } from "@weft/engine";
import type { Identity } from "@weft/http";
import { LRUCache } from "lru-cache";

/** How long an identity is trusted without a look at the database: the delay of a revocation by another process. */
const trustedMs = 5_000;
const capacity = 10_000;

/**
 * Remembers which bearers were proven. Invariants:
 * - an entry is younger than 5 s and its token has not expired;
 * - after `clear` no entry remains or appears that was proven before it: a revocation in this process is immediate;
 * - at most 10,000 entries, the least recently used one goes first.
 */
export type IdentityCache = {
  get(bearer: string): Identity | undefined;
  /** Call before the proof; the returned function stores its result, unless `clear` came between. */
  begin(): (bearer: string, identity: Identity) => void;
  clear(): void;
};

export function createIdentityCache(clock: Pick<Clock, "now">): IdentityCache {
  const entries = new LRUCache<string, { identity: Identity; validUntilMs: number }>({ max: capacity });
  let generation = 0;

  function put(bearer: string, identity: Identity): void {
    const trustedUntilMs = clock.now() + trustedMs;
    const expiresAtMs = identity.kind === "api-key" ? trustedUntilMs : identity.expiresAtMs;
    entries.set(bearer, { identity, validUntilMs: Math.min(trustedUntilMs, expiresAtMs) });
  }

  return {
    get(bearer) {
      const entry = entries.get(bearer);
      if (entry === undefined) return undefined;
      if (entry.validUntilMs > clock.now()) return entry.identity;
      entries.delete(bearer);
      return undefined;
    },
    begin() {
      const begun = generation;
      return (bearer, identity) => {
        if (begun === generation) put(bearer, identity);
      };
    },
    clear() {
      generation++;
      entries.clear();
    },
  };
}
