/** Time, as an argument. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

/** Source of ids. */
export type IdSource = {
  /** A new random uuid. */
  uuid(): string;
};
