import type { JsonObject } from "@weft/schema";
export type WallClock = {
  /** Milliseconds since the epoch. */
  now(): number;
};

export type Sleeper = {
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

/** Measures and waits; it does not know the date. */
export type Stopwatch = Sleeper & {
  /**
   * Milliseconds since an arbitrary moment. Unlike `now`, it is monotonic: setting the machine's clock does not affect
   * it.
   */
  elapsed(): number;
};

export type Clock = WallClock & Stopwatch;

export type IdSource = {
  uuid(): string;
};

/** Platform variables that templates read as `$vars.name`. */
export type Variables = { all(): Promise<JsonObject> };
