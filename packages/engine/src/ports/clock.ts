import type { JsonObject } from "@weft/schema";
/** The time of day, as an argument. */
export type WallClock = {
  /** Milliseconds since the epoch. */
  now(): number;
};

/** Time, as an argument. */
export type Clock = WallClock & {
  /** Milliseconds since some moment. Unlike `now` it neither jumps nor goes back when the machine's clock is set. */
  elapsed(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

/** Source of ids. */
export type IdSource = {
  /** A new random uuid. */
  uuid(): string;
};

/** Platform variables that templates read as `$vars.name`. */
export type Variables = { all(): Promise<JsonObject> };
