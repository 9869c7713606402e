import type { HostContext } from "./host-context.ts";

/** How long runs of an agent's visitors continue without a listener, in milliseconds; undefined: to their end. */
export type PatienceOf = (agentId: string) => Promise<number | undefined>;

/**
 * Ends runs that a visitor started and nobody listens to. Exempt are runs of callers with credentials; those that other
 * runs started, which end with their caller; and those that were answered and later resumed by themselves after a wait,
 * since their visitor was already released. For a run that another process left to this one, all processes are asked
 * who listens; while they cannot be reached, it continues. Source: contract "Prediction".
 */
export type AbandonedRuns = {
  /** Finds runs without a listener, and ends those that have been alone for too long. Call it every few seconds. */
  sweep(): Promise<void>;
  /** Answers other processes that ask for their runs, until the returned function is called. */
  answer(): () => void;
};

/** Ids in a message, which may have 1,000 characters. */
const idsAtOnce = 25;

export function createAbandonedRuns(
  { clock, active, broadcast, signals, logger }: HostContext,
  patienceMs: PatienceOf,
): AbandonedRuns {
  const aloneSince = new Map<string, number>();
  /** Runs left to this process that another one reported following since the last sweep. */
  const followedElsewhere = new Set<string>();

  function isFollowed(runId: string, isDelegated: boolean): boolean {
    if (broadcast.isFollowed(runId)) return true;
    return isDelegated && (followedElsewhere.has(runId) || !signals.seesOthers());
  }

  async function look(runId: string, { agentId, isDelegated }: Alone): Promise<void> {
    const since = aloneSince.get(runId);
    if (since === undefined) aloneSince.set(runId, clock.now());
    // Others have not been asked yet.
    if (since === undefined && isDelegated) return;
    const patience = await patienceMs(agentId);
    if (patience === undefined || clock.now() - (since ?? clock.now()) < patience) return;
    if (isFollowed(runId, isDelegated)) return;
    logger.info("run-abandoned", { runId });
    active.get(runId)?.handle.cancel();
  }

  function findAlone(): Map<string, Alone> {
    const alone = new Map<string, Alone>();
    for (const [runId, { handle, share, isDelegated }] of active) {
      const { started } = handle.state;
      const isVisitors = share.isAnonymous && started?.depth === 0 && !handle.state.isUnattended;
      if (isVisitors && !isFollowed(runId, isDelegated)) alone.set(runId, { agentId: started.agentId, isDelegated });
    }
    return alone;
  }

  /** Replies count at the next sweep. */
  function ask(topic: "run-followed-asked" | "run-followed", runIds: readonly string[]): void {
    for (let from = 0; from < runIds.length; from += idsAtOnce) {
      signals.tell(topic, runIds.slice(from, from + idsAtOnce).join());
    }
  }

  return {
    async sweep() {
      const alone = findAlone();
      const delegated = [...active]
        .filter(([, run]) => run.isDelegated && run.share.isAnonymous)
        .map(([runId]) => runId);
      followedElsewhere.clear();
      ask("run-followed-asked", delegated);
      for (const runId of aloneSince.keys()) if (!alone.has(runId)) aloneSince.delete(runId);
      for (const [runId, run] of alone) await look(runId, run);
    },
    answer() {
      const endings = [
        signals.hear("run-followed-asked", (text) => ask("run-followed", text.split(",").filter(broadcast.isFollowed))),
        signals.hear("run-followed", (text) => {
          for (const runId of text.split(",")) if (active.has(runId)) followedElsewhere.add(runId);
        }),
      ];
      return () => {
        for (const end of endings) end();
      };
    },
  };
}

/** A visitor's run without a listener. */
type Alone = { agentId: string; isDelegated: boolean };
