import { confidenceMs } from "@weft/engine";

/** Times that the run host waits, in milliseconds. */
export type RunTimings = {
  /**
   * How long a process keeps a run without a renewal (E8): 6,000. Processes on one database may differ: the end of a
   * lease is in its row, on the database's clock.
   */
  leaseMs: number;
  /** Between renewals of a lease: a quarter of it. */
  renewEveryMs: number;
  /** Between looks for runs that nobody works on: a quarter of a lease, at most a second (G7). */
  sweepEveryMs: number;
  /**
   * How long a process may trust that it still owns a run: a third of its lease, at most the engine's `confidenceMs`.
   */
  confidenceMs: number;
  /** Longest delay before a run learns that the one before it in its session has ended in another process: 200. */
  turnPollMs: number;
  /** How long a stopping process waits for its own steps: 10,000. */
  shutDownGraceMs: number;
  /** How long it then stays for answers of runs that others continue: 4,500, less than the grace for requests. */
  drainMs: number;
};

export const defaultLeaseMs = 6_000;
/** With a shorter lease, live processes would lose their runs to every stall of a loaded machine. */
export const shortestLeaseMs = 200;

/** Derives the timings from a lease, with overrides. Throws if they would not be safe. */
export function toRunTimings({ leaseMs = defaultLeaseMs, ...given }: Partial<RunTimings> = {}): RunTimings {
  const timings = {
    leaseMs,
    renewEveryMs: Math.ceil(leaseMs / 4),
    sweepEveryMs: Math.min(1_000, Math.ceil(leaseMs / 4)),
    confidenceMs: heldMs(leaseMs),
    turnPollMs: 200,
    shutDownGraceMs: 10_000,
    drainMs: 4_500,
    ...given,
  };
  if (leaseMs < shortestLeaseMs) {
    throw new RangeError(`A lease of ${leaseMs} ms is too short. Give it at least ${shortestLeaseMs} ms.`);
  }
  if (timings.renewEveryMs > leaseMs / 2) {
    const reason = `A lease of ${leaseMs} ms can end before it is renewed every ${timings.renewEveryMs} ms.`;
    throw new RangeError(`${reason} Renew it at least twice.`);
  }
  if (timings.confidenceMs > heldMs(leaseMs)) {
    const reason = `A run with a lease of ${leaseMs} ms can be taken over after ${heldMs(leaseMs)} ms.`;
    throw new RangeError(`${reason} Do not trust it for ${timings.confidenceMs} ms.`);
  }
  return timings;
}

/** Minimum time that a lease holds after a renewal, even if its owner is disconnected. */
export function heldMs(leaseMs: number): number {
  return Math.min(confidenceMs, Math.floor(leaseMs / 3));
}
