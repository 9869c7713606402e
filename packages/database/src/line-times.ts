/** Timing of the checks on connections to PostgreSQL, in milliseconds. */
export type LineTimes = {
  /** Between checks of the connections of a pool that are in use. */
  lookEveryMs: number;
  /** How long one may stay silent with a query before PostgreSQL is asked about it. */
  silentMs: number;
  /** How long PostgreSQL may take to answer that. */
  probeMs: number;
  /** Between pings on the connection for signals. */
  askEveryMs: number;
  /** How long a ping may take. */
  answerWithinMs: number;
  /** From the loss of the connection for signals to the next one. */
  reconnectAfterMs: number;
  /** How long others may take to reconnect after an outage that ended this process's and their connections. */
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
