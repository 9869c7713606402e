import type { CompiledFlow, RunHandle, RunOutcome, StartRunOptions } from "@weft/engine";
import { noShare, type RunEventOf, type Share, type TakeOver } from "@weft/schema";
import { createLines, type Place } from "@weft/workers";
import { type Backlog, type BacklogRun, maxWaitingOfSession, sessionAtCapacity } from "../dispatch/index.ts";
import { firstTurn, hasTurn, type RunTurn, sessionKey } from "../journal/index.ts";
import type { LeasedRun } from "../run-tables.ts";
import { isBuiltIn, shareOf } from "../share-of.ts";
import { assertAccepting, type DrivenRun, type HostContext } from "./host-context.ts";
import type { Turnstile } from "./turnstile.ts";

/**
 * The one way in for whatever starts a run: messages, webhooks, schedules, programs that speak other protocols, runs that
 * call agents, and upserts.
 * - A1 Order. Runs of a session get their places in the order in which their requests arrived, whatever each of them has
 *   to read first, and take their turns in that order (`SessionTurns`).
 * - A2 Once. A run whose id its caller chose begins once, in whichever process, however often and at whatever moments it
 *   is asked for (G9).
 * - A3 Capacity. `at-capacity` and `shutting-down` are thrown before anything is written. What was accepted is never
 *   refused.
 * - A4 Fairness. No caller takes more than its share of the line and of the slots (`Turnstile`), all visitors together
 *   no more than half of the line, and one session at most 100 places.
 */
export type Admission = {
  /**
   * A place in the order of arrival, for a request that has more to read before its run can start. Leave it, or admit
   * with it.
   */
  arrive(session: ArrivingSession): Place;
  /**
   * Starts a run once it is prepared and those that arrived before it in its session have started. Rejects with the
   * failure of `prepare`, and as A3 says.
   */
  admit(request: AdmissionRequest): Promise<AdmittedRun>;
  /** As `admit`, for a message, which may turn out to start no run. Then nothing is begun under its id. */
  admitMessage(request: AdmissionRequest<NewRun | WithoutRun>): Promise<AdmittedRun | WithoutRun>;
  /**
   * Waits for a request that is about to start this run here. Resolves with whether the run exists; rejects as the
   * request was rejected.
   */
  recall(runId: string): Promise<boolean>;
};

export type ArrivingSession = { agentId: string; owner: string; sessionId: string };

export type NewRun = {
  runId: string;
  begin: RunEventOf<"run-started">;
  /** Default: that of its agent and owner. */
  share?: Share;
  flow: CompiledFlow;
  /** Its session was created for it, so nothing came before. Default false. */
  isFirst?: boolean;
  warnings: readonly { code: string; message: string }[];
  /** Returns what preparing it took, if it does not start. */
  withdraw?(): Promise<void>;
};

/** A message that starts no run: it ends a wait, or waits for the person who answers its chat. */
export type WithoutRun = { waitId: string } | { received: ReceivedMessage };

export type ReceivedMessage = { id: string; question: string; chatId: string; sessionId: string; by: TakeOver };

export type AdmissionRequest<Prepared = NewRun> = {
  /** The run's id, if the caller chose it so that a repeated request finds the run. */
  fixedId?: string | undefined;
  place?: Place | undefined;
  prepare(): Prepared | Promise<Prepared>;
  /** The text is streamed as it is written. */
  live: boolean;
  /** Called before the first event of the run is broadcast. */
  begun?(run: DrivenRun): void;
};

/** `startedElsewhere` resolves once a run of a fixed id is durable: true if another process or request started it first. */
export type AdmittedRun = DrivenRun & { startedElsewhere: Promise<boolean> };

/** For runs that already have a journal and continue. */
export type Entrance = {
  /** A place in the line. Throws `at-capacity` for a run that is not accepted yet. */
  enter(run: EnteringRun): Place;
  /**
   * Starts a run here and keeps it until it is over here. If the journal cannot be folded, leaves the place and throws.
   */
  start(options: StartRunOptions, turn: RunTurn, place: Place & { isDelegated?: boolean }): RunHandle;
};

/**
 * `entry`: `taken-over` runs have their place in the session, and it is the turn of `ready` ones; `due` ones waited for
 * a moment and get a new place. None of them is refused. Default: one that a caller starts or answers.
 */
export type EnteringRun = {
  runId: string;
  begin: RunEventOf<"run-started">;
  share: Share;
  isFirst?: boolean | undefined;
  entry?: "taken-over" | "due" | "ready" | undefined;
};

export function createAdmission(context: HostContext, entrance: Entrance): Admission {
  const { active, store, clock } = context;
  const arrivals = createLines();
  /** Requests of this process that are about to start a run of a fixed id. */
  const beginning = new Map<string, { begun: Promise<BegunRun | WithoutRun>; durable: Promise<boolean> }>();

  function begin({ begin: asked, share = shareOf(asked), withdraw: _, ...run }: NewRun, live: boolean): RunHandle {
    assertAccepting(context);
    // Tells a process that continues the run that nobody follows its text.
    const begin = live ? asked : { ...asked, isStreamed: false };
    const place = entrance.enter({ runId: run.runId, begin, share, isFirst: run.isFirst });
    const turn = { ...firstTurn(begin, clock.now()), isFirst: run.isFirst };
    return entrance.start({ ...run, epoch: 1, begin, share, live }, turn, place);
  }

  async function beginInTurn({ place, prepare, live, begun }: MessageRequest): Promise<BegunRun | WithoutRun> {
    let notBegun: NewRun | undefined;
    try {
      const run = await prepare();
      if (isWithoutRun(run)) return run;
      notBegun = run;
      await place?.turn;
      const here = active.get(run.runId);
      if (here) return { ...here, isFirst: false };
      const admitted = { handle: begin(run, live), flow: run.flow, isFirst: true, withdraw: run.withdraw };
      notBegun = undefined;
      begun?.(admitted);
      return admitted;
    } finally {
      place?.leave();
      await notBegun?.withdraw?.();
    }
  }

  async function isTaken({ handle: { runId, accepted }, withdraw }: BegunRun): Promise<boolean> {
    try {
      await accepted;
      return false;
    } catch (cause) {
      if ((await store.find(runId)) === undefined) throw cause;
      await withdraw?.();
      return true;
    }
  }

  async function admitOnce(fixedId: string, request: MessageRequest): Promise<AdmittedRun | WithoutRun> {
    const ahead = beginning.get(fixedId);
    if (ahead) {
      request.place?.leave();
      return toAdmitted(
        await ahead.begun,
        ahead.durable.then(() => true),
      );
    }
    const begun = beginInTurn(request);
    const durable = begun.then((run) => !isWithoutRun(run) && (run.isFirst ? isTaken(run) : true));
    const entry = { begun, durable };
    beginning.set(fixedId, entry);
    const forget = () => {
      if (beginning.get(fixedId) === entry) beginning.delete(fixedId);
    };
    durable.then(forget, forget);
    return toAdmitted(await begun, durable);
  }

  async function admitMessage(request: MessageRequest): Promise<AdmittedRun | WithoutRun> {
    if (request.fixedId !== undefined) return admitOnce(request.fixedId, request);
    return toAdmitted(await beginInTurn(request), Promise.resolve(false));
  }

  return {
    arrive: ({ agentId, owner, sessionId }) => arrivals.enter(`${agentId.toLowerCase()}/${owner}/${sessionId}`),
    async admit(request) {
      const admitted = await admitMessage(request);
      if (isWithoutRun(admitted)) throw new Error(`A message with the id of run ${request.fixedId} starts no run.`);
      return admitted;
    },
    admitMessage,
    async recall(runId) {
      await beginning.get(runId)?.durable;
      return (await store.find(runId)) !== undefined;
    },
  };
}

type MessageRequest = AdmissionRequest<NewRun | WithoutRun>;

function isWithoutRun(found: object): found is WithoutRun {
  return "waitId" in found || "received" in found;
}

/** `isFirst`: no other request of this process has started it. */
type BegunRun = DrivenRun & { isFirst: boolean; withdraw?: NewRun["withdraw"] };

function toAdmitted(begun: BegunRun | WithoutRun, startedElsewhere: Promise<boolean>): AdmittedRun | WithoutRun {
  return isWithoutRun(begun) ? begun : { handle: begun.handle, flow: begun.flow, startedElsewhere };
}

/** `handOver`: a durable run is theirs to continue. One that was started for them was never leased to this process. */
export type OtherProcesses = { backlog: Backlog; handOver(run: HandedOver): Promise<void> };

export type HandedOver = LeasedRun & { isLeased: boolean };

export type EntranceDeps = {
  startRun(options: StartRunOptions): RunHandle;
  turnstile: Turnstile;
  /** For runs of built-in flows, so that they take no slots from runs that answer someone. */
  builtInTurnstile: Turnstile;
  /** Set in an `api` process: leaves runs that are started or resumed here to others. */
  others?: OtherProcesses | undefined;
  /** A run that another process left to this one starts here. */
  delegatedStarted(runId: string): void;
  /** This process no longer works on the run. */
  placeFreed(runId: string): void;
};

type SessionEntry = Omit<EnteringRun, "begin" | "share"> & { session: string | undefined; isFirst: boolean };

export function createEntrance(
  { turns, active, abandoned, broadcast, logger }: HostContext,
  { startRun, others, ...deps }: EntranceDeps,
): Entrance {
  function startOrLeave(options: StartRunOptions, place: Place): RunHandle {
    try {
      if (others) return startRun({ ...options, isHandedOver: true });
      return startRun(place.turn ? { ...options, turn: place.turn } : options);
    } catch (cause) {
      place.leave();
      throw cause;
    }
  }

  /** Throws `at-capacity` if too many such runs wait. Returns a function that ends the wait. */
  function wait(run: BacklogRun): () => void {
    // One of them is running.
    if (run.session !== undefined && turns.countOf(run.session) > maxWaitingOfSession) throw sessionAtCapacity(1);
    others?.backlog.enter(run);
    return () => others?.backlog.leave(run);
  }

  function enterSession({ runId, session, isFirst, entry }: SessionEntry) {
    if (session === undefined) return undefined;
    const isReady = entry === "ready";
    const isTakenOver = entry === "taken-over";
    const turn = turns.enter({ runId, session, isTakenOver, isFirst: isFirst || isReady });
    if (isReady) turns.placed(runId, true);
    return turn;
  }

  return {
    enter({ runId, begin, share, isFirst = false, entry }) {
      // A run that another run waits for shares that one's place: in a line behind it, neither would ever continue.
      if (begin.depth > 0) return { leave: () => undefined };
      const session = hasTurn(begin) ? sessionKey(begin) : undefined;
      const isNew = entry === undefined;
      const leaveBacklog = isNew
        ? wait({ agentId: begin.agentId, session, isAnonymous: share.isAnonymous })
        : undefined;
      const sessionTurn = enterSession({ runId, session, isFirst, entry });
      const leave = () => {
        turns.leave(runId);
        leaveBacklog?.();
      };
      // It was claimed because there was a place for it.
      if (entry === "ready") return { leave };
      const { builtInTurnstile, turnstile } = deps;
      const line = isBuiltIn(begin.flowVersionId) ? builtInTurnstile : turnstile;
      return enterLine(() => (isNew ? line.enter(share, sessionTurn) : line.enterAgain(share, sessionTurn)), leave);
    },
    start(options, turn, place) {
      const { runId, flow, share = noShare } = options;
      const handle = startOrLeave(options, place);
      active.set(runId, { handle, flow, turn, share, isDelegated: place.isDelegated ?? false });
      turns.found(runId);
      if (place.isDelegated) deps.delegatedStarted(runId);
      const leave = (outcome: RunOutcome) => {
        active.delete(runId);
        // It stays running without being here: nothing of its session may start before it.
        if (handle.state.pause === "held") turns.detached(runId);
        broadcast.leave(runId);
        place.leave();
        deps.placeFreed(runId);
        logger.debug("run-ended", { runId, outcome });
        if (outcome !== "stopped") return;
        void others?.handOver({ id: runId, leaseEpoch: options.epoch, isLeased: options.begin === undefined });
      };
      handle.done.then(leave, (cause: unknown) => {
        logger.error("run-broke", { runId, cause });
        turns.detached(runId);
        abandoned.add(runId);
        leave("lost");
      });
      return handle;
    },
  };
}

/** `leave`: called when the line refuses the run, and when its place is left. */
function enterLine(enter: () => Place, leave: () => void): Place {
  try {
    const place = enter();
    const leaveBoth = () => {
      place.leave();
      leave();
    };
    return place.turn ? { turn: place.turn, leave: leaveBoth } : { leave: leaveBoth };
  } catch (cause) {
    leave();
    throw cause;
  }
}
