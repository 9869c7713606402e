/** Bounds of one run. Each ends it in a clear terminal state. */
export type RunLimits = {
  /** Node executions, the items of a sub-flow included. */
  maxSteps: number;
  /** From the start, or from the resumption, to the end. */
  wallTimeMs: number;
  /** Nodes that run at once. */
  concurrency: number;
};

export const defaultRunLimits: RunLimits = { maxSteps: 10_000, wallTimeMs: 900_000, concurrency: 4 };
