import type { WallClock } from "@weft/engine/ports/clock";

/** Allows `requests` at once, and as many again, evenly spread, in every window. */
export type RateLimit = { requests: number; windowMs: number };

export type RateStanding = {
  limit: number;
  /** Requests that it could make at once. */
  remaining: number;
  /** When its full limit is available again, in milliseconds since the epoch. */
  resetAtMs: number;
  /** Until its next request would be accepted; 0 if this one was. */
  waitMs: number;
};

type Awaitable<T> = T | Promise<T>;

/** Counts clients' actions, by name: in this process, or for all processes on a database. */
export type Limits = {
  /** Counts a request of a name, unless it is over the limit. */
  take(name: string, limit: RateLimit): Awaitable<RateStanding>;
  /** How long the failures of these names block, in milliseconds: the longest time; 0 if none does. */
  waitMs(names: readonly string[]): Awaitable<number>;
  /**
   * Counts a failure of a name, unless it is blocked. From the failure `limit` on, each adds a wait of 30 s, 1 min, 2
   * min … 15 min. Resolves with the remaining wait, in milliseconds, if it was not counted for that reason; 0 if it was
   * counted.
   */
  fail(name: string, limit: number): Awaitable<number>;
  /** Resets the failures of a name. */
  forget(name: string): Awaitable<void>;
};

/** `quietMs`: after this long without a failure or a wait, a name starts afresh. */
export const failureWaits = { firstMs: 30_000, longestMs: 15 * 60_000, quietMs: 15 * 60_000 };

/** What rounding may add to a sum of intervals. */
export const roundingMs = 1e-3;

/** Beyond it, the names quiet for longest are forgotten. */
const defaultCapacity = 50_000;

/** Limits of this process alone. */
export type MemoryLimits = {
  take(name: string, limit: RateLimit): RateStanding;
  waitMs(names: readonly string[]): number;
  fail(name: string, limit: number): number;
  forget(name: string): void;
  /** The standing that `take` would return, without counting. */
  look(name: string, limit: RateLimit): RateStanding;
};

/**
 * Counts in memory. Requests: token buckets that fill evenly (the generic cell rate algorithm, ITU-T I.371: one number
 * per name).
 */
export function createMemoryLimits(clock: WallClock, capacity = defaultCapacity): MemoryLimits {
  const fullAtMs = new Map<string, number>();
  const failures = new Map<string, { count: number; untilMs: number }>();

  function keep<T>(entries: Map<string, T>, name: string, entry: T): void {
    entries.delete(name);
    entries.set(name, entry);
    const quietest = entries.keys().next().value;
    if (entries.size > capacity && quietest !== undefined) entries.delete(quietest);
  }

  function look(name: string, limit: RateLimit): RateStanding & { fullAtMs: number } {
    const now = clock.now();
    const intervalMs = limit.windowMs / limit.requests;
    const before = Math.max(now, fullAtMs.get(name) ?? 0);
    const isTaken = before + intervalMs - now - limit.windowMs <= roundingMs;
    const fullAt = isTaken ? before + intervalMs : before;
    return { ...toStanding(limit, { now, fullAtMs: fullAt, isTaken }), fullAtMs: fullAt };
  }

  const waitOf = (name: string) => Math.max(0, (failures.get(name)?.untilMs ?? 0) - clock.now());

  return {
    look,
    take(name, limit) {
      const { fullAtMs: fullAt, ...standing } = look(name, limit);
      if (standing.waitMs === 0) keep(fullAtMs, name, fullAt);
      return standing;
    },
    waitMs: (names) => Math.max(0, ...names.map(waitOf)),
    fail(name, limit) {
      const waitMs = waitOf(name);
      if (waitMs > 0) return waitMs;
      const now = clock.now();
      const known = failures.get(name);
      const count = known !== undefined && now < known.untilMs + failureWaits.quietMs ? known.count + 1 : 1;
      const { firstMs, longestMs } = failureWaits;
      const untilMs = now + (count < limit ? 0 : Math.min(longestMs, firstMs * 2 ** (count - limit)));
      keep(failures, name, { count, untilMs });
      return 0;
    },
    forget: (name) => void failures.delete(name),
  };
}

/** `fullAtMs`: when the bucket is full again, after the request, whether it was accepted or not. */
export type Bucket = { now: number; fullAtMs: number; isTaken: boolean };

export function toStanding({ requests: limit, windowMs }: RateLimit, { now, fullAtMs, isTaken }: Bucket): RateStanding {
  const intervalMs = windowMs / limit;
  const resetAtMs = toWhole(fullAtMs);
  if (!isTaken) return { limit, remaining: 0, resetAtMs, waitMs: toWhole(fullAtMs + intervalMs - now - windowMs) };
  return {
    limit,
    remaining: Math.floor((windowMs - (fullAtMs - now) + roundingMs) / intervalMs),
    resetAtMs,
    waitMs: 0,
  };
}

function toWhole(ms: number): number {
  return Math.ceil(ms - roundingMs);
}
