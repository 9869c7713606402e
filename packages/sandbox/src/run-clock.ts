/** The times of one run in a thread that it may share. All in milliseconds. */
export type RunClock = {
  /** Whether it has lasted or computed too long. */
  isOver(): boolean;
  /** Computing, the turn under way included. */
  computedMs(): number;
  /** How much longer a turn that begins now may last. */
  turnLeftMs(): number;
  untilDeadlineMs(): number;
  beginTurn(): void;
  /** How long the turn was. */
  endTurn(): number;
  /** Another run had the thread: that time is not this one's. */
  heldUp(ms: number): void;
};

export function createRunClock({ timeoutMs, computeMs }: { timeoutMs: number; computeMs: number }): RunClock {
  let deadline = performance.now() + timeoutMs;
  let usedMs = 0;
  let turnSince: number | undefined;
  const computedMs = () => usedMs + (turnSince === undefined ? 0 : performance.now() - turnSince);
  const untilDeadlineMs = () => deadline - performance.now();
  return {
    computedMs,
    untilDeadlineMs,
    isOver: () => untilDeadlineMs() < 0 || computedMs() > computeMs,
    turnLeftMs: () => Math.max(0, Math.min(untilDeadlineMs(), computeMs - computedMs())),
    beginTurn() {
      turnSince = performance.now();
    },
    endTurn() {
      const ms = turnSince === undefined ? 0 : performance.now() - turnSince;
      turnSince = undefined;
      usedMs += ms;
      return ms;
    },
    heldUp(ms) {
      deadline += ms;
    },
  };
}
