import type { Clock } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import type { ActiveRun } from "./admission.ts";
import type { RunBroadcast } from "./run-broadcast.ts";

export type AbandonedRunsDeps = {
  clock: Pick<Clock, "now">;
  /** Runs of this process by id. */
  active: ReadonlyMap<string, Pick<ActiveRun, "handle" | "share" | "isLeftHere">>;
  broadcast: Pick<RunBroadcast, "isFollowed">;
  /** How long runs of an agent's visitors go on without a listener; undefined: to their end. */
  patienceMs(agentId: string): Promise<number | undefined>;
  logger: Logger;
};

/**
 * Ends runs that a visitor began and nobody listens to. Runs of callers with credentials go on without them; so do those
 * that other runs ask for, which end with the one that asks, and those that were answered and went on by themselves when a
 * wait was over: their visitor was let go. So do those that another process left to this one: who listens there is not
 * known here. Source: contract "Prediction".
 */
export type AbandonedRuns = {
  /** Finds runs without a listener, and ends those that have been alone for too long. Call it every few seconds. */
  sweep(): Promise<void>;
};

export function createAbandonedRuns({
  clock,
  active,
  broadcast,
  patienceMs,
  logger,
}: AbandonedRunsDeps): AbandonedRuns {
  const aloneSince = new Map<string, number>();

  async function look(runId: string, agentId: string): Promise<void> {
    const since = aloneSince.get(runId) ?? clock.now();
    aloneSince.set(runId, since);
    const patience = await patienceMs(agentId);
    if (patience === undefined || clock.now() - since < patience || broadcast.isFollowed(runId)) return;
    logger.info("run-abandoned", { runId });
    active.get(runId)?.handle.cancel();
  }

  return {
    async sweep() {
      const alone = new Map<string, string>();
      for (const [runId, { handle, share, isLeftHere }] of active) {
        const { started } = handle.state;
        const isVisitors = share.isAnonymous && !isLeftHere && started?.depth === 0 && !handle.state.isUnattended;
        if (isVisitors && !broadcast.isFollowed(runId)) alone.set(runId, started.agentId);
      }
      for (const runId of aloneSince.keys()) if (!alone.has(runId)) aloneSince.delete(runId);
      for (const [runId, agentId] of alone) await look(runId, agentId);
    },
  };
}
