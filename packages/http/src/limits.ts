import type { WallClock } from "@weft/engine/ports/clock";

/** So many requests at once, and as many again, evenly, in every window. */
export type RateLimit = { requests: number; windowMs: number };

/** Where a client stands after a request. */
export type RateStanding = {
  limit: number;
  /** Requests that it could make at once. */
  remaining: number;
  /** When it has its whole limit again, in milliseconds since the epoch. */
  resetAtMs: number;
  /** Until its next request would be let through; 0 when this one was. */
  waitMs: number;
};

export type RateLimiter = {
  /** Counts a request of a name, unless it is over the limit. */
  take(name: string, limit: RateLimit): RateStanding;
};

/** What rounding may add to a sum of intervals. */
const roundingMs = 1e-3;

/**
 * Token buckets that fill evenly (the generic cell rate algorithm, ITU-T I.371: one number for each name). In memory:
 * every process counts for itself. Of more than `capacity` names those that were quiet longest are forgotten.
 */
export function createRateLimiter(clock: WallClock, capacity = 50_000): RateLimiter {
  const fullAtMs = new Map<string, number>();

  return {
    take(name, { requests, windowMs }) {
      const now = clock.now();
      const intervalMs = windowMs / requests;
      const before = Math.max(now, fullAtMs.get(name) ?? 0);
      const after = before + intervalMs;
      const waitMs = toWhole(after - now - windowMs);
      if (waitMs > 0) return { limit: requests, remaining: 0, resetAtMs: toWhole(before), waitMs };
      fullAtMs.delete(name);
      fullAtMs.set(name, after);
      const quietest = fullAtMs.keys().next().value;
      if (fullAtMs.size > capacity && quietest !== undefined) fullAtMs.delete(quietest);
      const remaining = Math.floor((windowMs - (after - now) + roundingMs) / intervalMs);
      return { limit: requests, remaining, resetAtMs: toWhole(after), waitMs: 0 };
    },
  };
}

function toWhole(ms: number): number {
  return Math.ceil(ms - roundingMs);
}
