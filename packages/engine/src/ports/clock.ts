import type { JsonObject } from "@weft/schema";
export type WallClock = {
  /** Milliseconds since the epoch. */
  now(): number;
};

export type Clock = WallClock & {
  /**
   * Milliseconds since an arbitrary moment. Unlike `now`, it is monotonic: setting the machine's clock does not affect
   * it.
   */
  elapsed(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

export type IdSource = {
  uuid(): string;
};

/** Platform variables that templates read as `$vars.name`. */
export type Variables = { all(): Promise<JsonObject> };
