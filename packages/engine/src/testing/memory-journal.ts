import type { RunEvent } from "@weft/schema";
import { type Journal, LeaseLostError } from "../ports/journal.ts";

/** A journal in memory with the promises of a real one: dense sequence numbers and fencing. */
export type MemoryJournal = Journal & {
  events(runId: string): RunEvent[];
  /** Takes the run over; appends of earlier epochs are refused from now on. */
  takeOver(runId: string): number;
};

export function createMemoryJournal(): MemoryJournal {
  const runs = new Map<string, { epoch: number; events: RunEvent[] }>();
  return {
    async append({ runId, epoch, events }) {
      const run = runs.get(runId) ?? { epoch, events: [] };
      if (run.epoch !== epoch || events[0]?.seq !== run.events.length + 1) throw new LeaseLostError(runId);
      run.events.push(...(structuredClone(events) as RunEvent[]));
      runs.set(runId, run);
    },
    events: (runId) => runs.get(runId)?.events ?? [],
    takeOver(runId) {
      const run = runs.get(runId) ?? { epoch: 0, events: [] };
      run.epoch += 1;
      runs.set(runId, run);
      return run.epoch;
    },
  };
}
