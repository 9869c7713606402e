import type { RunEvent, RunEventOf } from "@weft/schema";

/** One commit to a run's journal. */
export type JournalBatch = {
  runId: string;
  /** The lease's fencing token. */
  epoch: number;
  /** Sequence numbers are dense; the first continues the journal. */
  events: readonly RunEvent[];
  /** The run's first event, if at hand. */
  begin?: RunEventOf<"run-started"> | undefined;
};

/** This process no longer owns the run: another took it over, or it was deleted. Nothing was written. */
export class LeaseLostError extends Error {
  constructor(runId: string) {
    super(`The lease of run ${runId} is lost.`);
    this.name = "LeaseLostError";
  }
}

/**
 * Storage of run events.
 * `append` is compare-and-set on (run, sequence) with the lease's epoch; it resolves when the events are durable, and
 * rejects with `LeaseLostError` when another process owns the run.
 */
export type Journal = { append(batch: JournalBatch): Promise<void> };
