/** How the lines to PostgreSQL are watched, in milliseconds. */
export type LineTimes = {
  /** Between looks at the connections of a pool that are in use. */
  lookEveryMs: number;
  /** How long one may keep silent with a query before PostgreSQL is asked about it. */
  silentMs: number;
  /** How long PostgreSQL may take to answer that. */
  probeMs: number;
  /** Between signs of life that the connection for signals is asked for. */
  askEveryMs: number;
  /** How long a sign of life may take. */
  answerWithinMs: number;
  /** From the loss of the connection for signals to the next one. */
  reconnectAfterMs: number;
  /** How long others may take to connect again after what ended this process's connection ended theirs. */
  settledAfterMs: number;
};

export const defaultLineTimes: LineTimes = {
  lookEveryMs: 1_000,
  silentMs: 3_000,
  probeMs: 3_000,
  askEveryMs: 2_000,
  answerWithinMs: 3_000,
  reconnectAfterMs: 1_000,
  settledAfterMs: 3_000,
};
