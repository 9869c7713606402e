import type { CompiledFlow, Resumption, RunHandle } from "@weft/engine";
import { LeaseLostError } from "@weft/engine/ports/journal";
import { type RunEvent, WeftError } from "@weft/schema";
import { firstTurn, type RunTurn, resumedTurn, toNewRun, turnOf } from "../journal/index.ts";
import type { RunRow } from "../run-tables.ts";
import { shareOf } from "../share-of.ts";
import type { EnteringRun, Entrance } from "./admission.ts";
import { assertAccepting, type HostContext } from "./host-context.ts";
import {
  type Answering,
  answerQuestion,
  endDue,
  endSignalled,
  type LoadedJournal,
  notOpen,
  type RunSignal,
} from "./resume-run.ts";

export type ResumeRun = Answering & { runId: string; live: boolean };

/** A run that this process has claimed. `heldSince`: `Clock.elapsed` when it requested the lease. */
export type Claimed = { row: RunRow; heldSince: number };

/** A run that continues. `events`: its journal until then. */
export type ResumedRun = { handle: RunHandle; flow: CompiledFlow; events: readonly RunEvent[] };

export type BeginWith = { runId: string; flow: CompiledFlow; events: readonly RunEvent[] };

/** Runs that continue from a journal: those whose waits end, and those that are retried. */
export type RunContinuation = {
  /**
   * Answers a run's question, durably and once, and continues the run here. `begun` is called before anyone is told
   * what follows. Rejects with `conflict` if the question is answered or its run has ended, with `not-found` for an
   * unknown run, and with `at-capacity` or `shutting-down`.
   */
  resume(request: ResumeRun, begun?: (resumed: ResumedRun) => void): Promise<ResumedRun>;
  /**
   * Ends all waits of a run for a signal, durably and once, and continues the run here. Rejects like `resume`; with
   * `conflict` if the run does not wait for it: not yet, no longer, or never.
   */
  signal(runId: string, signal: RunSignal): Promise<void>;
  /** Continues a suspended run that was claimed because one of its waits was due. */
  resumeDue(claimed: Claimed): Promise<void>;
  /**
   * Starts a run with the first events of another, which is over. Rejects like `Admission.admit`, and if the id is
   * taken.
   */
  beginWith(request: BeginWith): Promise<RunHandle>;
};

/** Why a run whose version was deleted cannot continue. */
export const flowGone = "the flow version that this run started with no longer exists, so the run cannot continue.";
const busy = "The run is working on something else at the moment. Try again when it waits.";
/** How long an answer or a signal waits while another one resumes the run. */
const patienceMs = 10_000;
const retryMs = 50;

/** The events that end waits of a run, given its journal when it was claimed. Throws if none of them is open. */
type EndWaits = (journal: LoadedJournal) => Resumption[];

type GoOn = { end: EndWaits; live: boolean; entry?: EnteringRun["entry"] };

export function createRunContinuation(context: HostContext, entrance: Entrance): RunContinuation {
  const { store, clock, newId, lessee } = context;
  const facts = () => ({ now: clock.now(), newId });

  async function goOn({ row, heldSince }: Claimed, { end, live, entry }: GoOn): Promise<ResumedRun> {
    const { id: runId, agentVersionId, leaseEpoch: epoch } = row;
    const { flow, events, first } = await journalOf(context, runId, agentVersionId);
    const resume = end({ flow, events });
    assertAccepting(context);
    const share = shareOf(first);
    const options = { runId, epoch, heldSince, flow, events, resume, share, live };
    const turn = turnAfter(events, resume, clock.now()) ?? firstTurn(first, first.at);
    const handle = entrance.start(options, turn, entrance.enter({ runId, begin: first, share, entry }));
    return { handle, flow, events };
  }

  async function goOnOrRelease(claimed: Claimed, how: GoOn): Promise<ResumedRun> {
    return goOn(claimed, how).catch(async (cause: unknown) => {
      await store.release(claimed.row);
      throw cause instanceof WeftError && cause.code === "flow-invalid" ? conflict(flowGone) : cause;
    });
  }

  return {
    async resume(request, begun) {
      const { runId, live } = request;
      const claimed = await claimWaiting(context, runId, ({ stoppedDate }, events) => {
        if (stoppedDate !== null || isAnswered(events, request.waitId)) throw notOpen();
      });
      const end: EndWaits = (journal) => answerQuestion(journal, request, facts());
      const resumed = await goOnOrRelease(claimed, { end, live });
      begun?.(resumed);
      await resumed.handle.accepted.catch((cause: unknown) => {
        throw cause instanceof LeaseLostError ? notOpen() : cause;
      });
      return resumed;
    },

    async signal(runId, signal) {
      const claimed = await claimWaiting(context, runId, async ({ stoppedDate, agentVersionId }) => {
        if (stoppedDate !== null) throw conflict("This run has ended, so it takes no signal.");
        const journal = await journalOf(context, runId, agentVersionId);
        if (endSignalled(journal, signal, facts()).length === 0) throw notAwaited(signal);
      });
      // One that is not suspended keeps its place in the session, and always resumes waiting.
      const isHeld = claimed.row.status === "running";
      const isTaken = { value: true };
      const end: EndWaits = (journal) => {
        const ends = endSignalled(journal, signal, facts());
        isTaken.value = ends.length > 0;
        if (!isTaken.value && !isHeld) throw notAwaited(signal);
        return ends;
      };
      const entry = isHeld ? "taken-over" : undefined;
      const { handle } = await goOnOrRelease(claimed, { end, live: true, entry });
      if (!isTaken.value) throw notAwaited(signal);
      await handle.accepted.catch((cause: unknown) => {
        throw cause instanceof LeaseLostError ? notAwaited(signal) : cause;
      });
    },

    async resumeDue(claimed) {
      const { row } = claimed;
      // The claim says that its moment has come, whatever the clock says since.
      const now = Math.max(clock.now(), row.dueAt ?? 0);
      const end: EndWaits = (journal) => {
        const ends = endDue(journal, { ...facts(), now });
        if (ends.length === 0) throw new Error(`No wait of run ${row.id} is over, although its row says so.`);
        return ends;
      };
      await goOn(claimed, { end, live: true, entry: "due" });
    },

    async beginWith({ runId, flow, events }) {
      assertAccepting(context);
      const [first] = events;
      const run = toNewRun({ runId, epoch: 1, events });
      if (!run || first?.type !== "run-started") throw new Error(`The journal of run ${runId} does not begin.`);
      const share = shareOf(first);
      const place = entrance.enter({ runId, begin: first, share });
      const { epoch } = await store.create({ run, events, ...lessee }).catch((cause: unknown) => {
        place.leave();
        throw cause;
      });
      return entrance.start({ runId, epoch, flow, events, share, live: true }, firstTurn(first, first.at), place);
    },
  };
}

async function journalOf({ store, flowOfRun }: HostContext, runId: string, agentVersionId: string) {
  const loaded = await store.load(runId);
  const first = loaded?.events[0];
  if (!loaded || first?.type !== "run-started") throw notOpen();
  const flow = await flowOfRun(agentVersionId, first.input);
  if (!flow) throw new WeftError("flow-invalid", { params: { reason: flowGone } });
  return { flow, events: loaded.events, first };
}

/** Claims a waiting run, once no other answer or signal to it is in progress. */
async function claimWaiting(
  context: HostContext,
  runId: string,
  assertOpen: (run: RunRow, events: RunEvent[]) => unknown,
): Promise<Claimed> {
  const { store, clock, active, lessee } = context;
  const until = clock.elapsed() + patienceMs;
  for (;;) {
    assertAccepting(context);
    const loaded = await store.load(runId);
    if (!loaded) throw new WeftError("not-found", { params: { resource: "execution", id: runId } });
    await assertOpen(loaded.run, loaded.events);
    const heldSince = clock.elapsed();
    const row = active.has(runId) ? undefined : await store.claim(runId, lessee.owner, lessee.leaseMs);
    if (row) return { row, heldSince };
    if (clock.elapsed() >= until) throw conflict(busy);
    await clock.sleep(retryMs, new AbortController().signal);
  }
}

/** The turn that starts with these events, else the journal's current one. */
function turnAfter(events: readonly RunEvent[], resume: readonly Resumption[], now: number): RunTurn | undefined {
  const begun = resume.find(({ turn }) => turn !== undefined)?.turn;
  return begun ? resumedTurn(begun, now) : turnOf(events);
}

function isAnswered(events: readonly RunEvent[], waitId: string): boolean {
  return events.some((event) => event.type === "node-resumed" && event.waitId === waitId);
}

function notAwaited({ name }: RunSignal): WeftError {
  return conflict(
    `This run does not wait for the signal "${name}": it has not reached that step yet, or the wait is already over.`,
  );
}

function conflict(reason: string): WeftError {
  return new WeftError("conflict", { params: { reason } });
}
