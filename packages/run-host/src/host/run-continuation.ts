import type { RunRow } from "@weft/database";
import { type CompiledFlow, type EngineDeps, LeaseLostError, type RunHandle } from "@weft/engine";
import { type RunEvent, type RunInput, WeftError } from "@weft/schema";
import { firstTurn, type Lessee, type RunStore, resumedTurn, shareOf, toNewRun } from "../journal/index.ts";
import { type Answering, notOpen, toResumption } from "./resume-run.ts";
import type { ActiveRun, RunTracker } from "./run-tracker.ts";

export type RunContinuationDeps = {
  store: Pick<RunStore, "claim" | "create" | "load" | "release">;
  engine: Pick<EngineDeps, "clock" | "ids">;
  tracker: RunTracker;
  active: ReadonlyMap<string, ActiveRun>;
  flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
  lessee: Lessee;
  /** Throws `shutting-down` when this process takes nothing on any more. */
  assertAccepting(): void;
};

export type ResumeRun = Answering & { runId: string; live: boolean };

/** A run that goes on. `events`: its journal until it was answered. */
export type ResumedRun = { handle: RunHandle; flow: CompiledFlow; events: readonly RunEvent[] };

export type BeginWith = { runId: string; flow: CompiledFlow; events: readonly RunEvent[] };

/** Runs that go on from a journal: those that were answered, and those that are retried. */
export type RunContinuation = {
  /**
   * Answers what a run waits for, durably and once, and goes on with it here. `begun` is called before anybody is told
   * of what follows. Rejects with `conflict` when the question is answered or its run has ended, with `not-found` when
   * there is no such run, and with `at-capacity` or `shutting-down`.
   */
  resume(request: ResumeRun, begun?: (resumed: ResumedRun) => void): Promise<ResumedRun>;
  /** Begins a run with the first events of another, which is over. Rejects as `begin`, and when the id is taken. */
  beginWith(request: BeginWith): Promise<RunHandle>;
};

/** Why a run whose version was deleted cannot go on. */
export const flowGone = "the flow version that this run started with no longer exists, so the run cannot continue.";
const busy = "The run is continuing with another answer. Answer this question when it waits again.";
/** How long an answer waits while the run goes on with another one. */
const patienceMs = 10_000;
const retryMs = 50;

export function createRunContinuation(deps: RunContinuationDeps): RunContinuation {
  const { store, engine, tracker, active, lessee, assertAccepting } = deps;
  const { clock, ids } = engine;

  /** Continues a run that was claimed. */
  async function goOn(row: RunRow, request: ResumeRun): Promise<ResumedRun> {
    const loaded = await store.load(row.id);
    const first = loaded?.events[0];
    if (!loaded || first?.type !== "run-started") throw notOpen();
    const { events } = loaded;
    const flow = await deps.flowOfRun(row.agentVersionId, first.input);
    if (!flow) throw conflict(flowGone);
    const resume = toResumption({ flow, events }, request, ids.uuid);
    assertAccepting();
    const share = shareOf(first);
    const options = { runId: row.id, epoch: row.leaseEpoch, flow, events, resume, share, live: request.live };
    const handle = tracker.track(
      options,
      resumedTurn(resume.turn, clock.now()),
      tracker.admit({ runId: row.id, begin: first, share }),
    );
    return { handle, flow, events };
  }

  /** Claims a run that waits, once no other answer to it is being taken. */
  async function claimWaiting(request: ResumeRun): Promise<RunRow> {
    const until = clock.now() + patienceMs;
    for (;;) {
      assertAccepting();
      const { runId } = request;
      const claimed = active.has(runId) ? undefined : await store.claim(runId, lessee.owner, lessee.leaseMs);
      if (claimed) return claimed;
      await assertOpen(request);
      if (clock.now() >= until) throw conflict(busy);
      await clock.sleep(retryMs, new AbortController().signal);
    }
  }

  async function assertOpen({ runId, waitId }: ResumeRun): Promise<void> {
    const loaded = await store.load(runId);
    if (!loaded) throw new WeftError("not-found", { params: { resource: "execution", id: runId } });
    const isOver = loaded.run.stoppedDate !== null;
    if (isOver || isAnswered(loaded.events, waitId)) throw notOpen();
  }

  return {
    async resume(request, begun) {
      const claimed = await claimWaiting(request);
      const resumed = await goOn(claimed, request).catch(async (cause: unknown) => {
        await store.release(claimed);
        throw cause;
      });
      begun?.(resumed);
      await resumed.handle.accepted.catch((cause: unknown) => {
        throw cause instanceof LeaseLostError ? notOpen() : cause;
      });
      return resumed;
    },

    async beginWith({ runId, flow, events }) {
      assertAccepting();
      const [first] = events;
      const run = toNewRun({ runId, epoch: 1, events });
      if (!run || first?.type !== "run-started") throw new Error(`The journal of run ${runId} does not begin.`);
      const share = shareOf(first);
      const admission = tracker.admit({ runId, begin: first, share });
      const { epoch } = await store.create({ run, events, ...lessee }).catch((cause: unknown) => {
        admission.leave();
        throw cause;
      });
      return tracker.track({ runId, epoch, flow, events, share, live: true }, firstTurn(first, first.at), admission);
    },
  };
}

function isAnswered(events: readonly RunEvent[], waitId: string): boolean {
  return events.some((event) => event.type === "node-resumed" && event.waitId === waitId);
}

function conflict(reason: string): WeftError {
  return new WeftError("conflict", { params: { reason } });
}
