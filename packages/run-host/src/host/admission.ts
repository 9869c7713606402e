import type { CompiledFlow, RunHandle, RunOutcome, StartRunOptions } from "@weft/engine";
import type { Clock } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import { noShare, type RunEventOf, type Share } from "@weft/schema";
import { createLines, type Place } from "@weft/workers";
import { type Backlog, type BacklogRun, maxWaitingOfSession, sessionAtCapacity } from "../dispatch/index.ts";
import {
  firstTurn,
  hasTurn,
  type RunTailStore,
  type RunTurn,
  type SessionTurns,
  sessionKey,
} from "../journal/index.ts";
import type { RunRow } from "../run-tables.ts";
import { isBuiltIn, shareOf } from "../share-of.ts";
import type { RunBroadcast } from "./run-broadcast.ts";
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
  /** A place in the order of arrival, for a request that has more to read before its run can begin. Leave it, or admit with it. */
  arrive(session: ArrivingSession): Place;
  /**
   * Begins a run as soon as it is prepared and those that arrived before it in its session have begun. Rejects with what
   * `prepare` rejects with, and as A3 says.
   */
  admit(request: AdmissionRequest): Promise<AdmittedRun>;
  /** Waits for a request that is about to begin this run here. Resolves with whether the run exists; rejects with what the request was refused with. */
  recall(runId: string): Promise<boolean>;
};

export type ArrivingSession = { agentId: string; owner: string; sessionId: string };

/** A run that may begin. */
export type NewRun = {
  runId: string;
  begin: RunEventOf<"run-started">;
  /** Default: that of its agent and owner. */
  share?: Share;
  flow: CompiledFlow;
  /** Whether its session was made for it, so that nothing came before. Default false. */
  isFirst?: boolean;
  warnings: readonly { code: string; message: string }[];
  /** Gives back what preparing it took, where it does not begin. */
  withdraw?(): Promise<void>;
};

export type AdmissionRequest = {
  /** The run's id, where the caller chose it so that a repetition finds the run. */
  fixedId?: string | undefined;
  place?: Place | undefined;
  prepare(): NewRun | Promise<NewRun>;
  /** Whether the text is streamed while it is written. */
  live: boolean;
  /** Called before the first event of the run is broadcast. */
  begun?(run: Pick<AdmittedRun, "handle" | "flow">): void;
};

/** `isElsewhere` resolves once a run of a fixed id is durable: true when another process, or request, was first to begin it. */
export type AdmittedRun = { handle: RunHandle; flow: CompiledFlow; isElsewhere: Promise<boolean> };

/** A run of this process. */
export type ActiveRun = {
  handle: RunHandle;
  flow: CompiledFlow;
  turn: RunTurn;
  share: Share;
  /** It was left to this process by another one, where those who asked for it may listen. */
  isLeftHere: boolean;
};

/** For runs that have a journal already, and go on. */
export type Entrance = {
  /** A place in the line. Throws `at-capacity` for a run that is not accepted yet. */
  enter(run: EnteringRun): Place;
  /** Starts a run here and keeps it until it is over here. Throws when the journal cannot be folded, and then leaves the place. */
  start(options: StartRunOptions, turn: RunTurn, place: Place & { isLeftHere?: boolean }): RunHandle;
};

/**
 * `entry`: `taken-over` runs have their place in the session, and of `ready` ones it is their turn; `due` ones waited for a
 * moment and get a new place. None of them is refused. Default: one that a caller begins or answers.
 */
export type EnteringRun = {
  runId: string;
  begin: RunEventOf<"run-started">;
  share: Share;
  isFirst?: boolean | undefined;
  entry?: "taken-over" | "due" | "ready" | undefined;
};

export type AdmissionDeps = {
  entrance: Entrance;
  /** Runs of this process by id. */
  active: ReadonlyMap<string, Pick<ActiveRun, "handle" | "flow">>;
  store: Pick<RunTailStore, "find">;
  clock: Pick<Clock, "now">;
  /** Throws `shutting-down` when this process takes nothing on any more. */
  assertAccepting(): void;
};

export function createAdmission({ entrance, active, store, clock, assertAccepting }: AdmissionDeps): Admission {
  const arrivals = createLines();
  /** Requests of this process that are about to begin a run of a fixed id. */
  const beginning = new Map<string, { begun: Promise<BegunRun>; durable: Promise<boolean> }>();

  function begin({ begin: asked, share = shareOf(asked), withdraw: _, ...run }: NewRun, live: boolean): RunHandle {
    assertAccepting();
    // Tells a process that continues the run that nobody follows its words.
    const begin = live ? asked : { ...asked, isStreamed: false };
    const place = entrance.enter({ runId: run.runId, begin, share, isFirst: run.isFirst });
    const turn = { ...firstTurn(begin, clock.now()), isFirst: run.isFirst };
    return entrance.start({ ...run, epoch: 1, begin, share, live }, turn, place);
  }

  async function beginInTurn({ place, prepare, live, begun }: AdmissionRequest): Promise<BegunRun> {
    let notBegun: NewRun | undefined;
    try {
      const run = await prepare();
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

  async function admitOnce(fixedId: string, request: AdmissionRequest): Promise<AdmittedRun> {
    const ahead = beginning.get(fixedId);
    if (ahead) {
      request.place?.leave();
      return toAdmitted(
        await ahead.begun,
        ahead.durable.then(() => true),
      );
    }
    const begun = beginInTurn(request);
    const durable = begun.then((run) => (run.isFirst ? isTaken(run) : true));
    const entry = { begun, durable };
    beginning.set(fixedId, entry);
    const forget = () => {
      if (beginning.get(fixedId) === entry) beginning.delete(fixedId);
    };
    durable.then(forget, forget);
    return toAdmitted(await begun, durable);
  }

  return {
    arrive: ({ agentId, owner, sessionId }) => arrivals.enter(`${agentId.toLowerCase()}/${owner}/${sessionId}`),
    async admit(request) {
      if (request.fixedId !== undefined) return admitOnce(request.fixedId, request);
      return toAdmitted(await beginInTurn(request), Promise.resolve(false));
    },
    async recall(runId) {
      await beginning.get(runId)?.durable;
      return (await store.find(runId)) !== undefined;
    },
  };
}

/** `isFirst`: no other request of this process has begun it. */
type BegunRun = Pick<AdmittedRun, "handle" | "flow"> & { isFirst: boolean; withdraw?: NewRun["withdraw"] };

function toAdmitted({ handle, flow }: BegunRun, isElsewhere: Promise<boolean>): AdmittedRun {
  return { handle, flow, isElsewhere };
}

/** `handOver`: a run is durable, and theirs to go on with. One that was begun for them was never leased to this process. */
export type OtherProcesses = { backlog: Backlog; handOver(run: HandedOver): Promise<void> };

export type HandedOver = Pick<RunRow, "id" | "leaseEpoch"> & { isLeased: boolean };

export type EntranceDeps = {
  startRun(options: StartRunOptions): RunHandle;
  turnstile: Turnstile;
  /** For runs of built-in flows, so that they take no slots from runs that answer someone. */
  builtInTurnstile: Turnstile;
  turns: SessionTurns;
  /** Runs of this process by id, shared with the projection that writes their chat messages. */
  active: Map<string, ActiveRun>;
  broadcast: Pick<RunBroadcast, "leave">;
  /** Set in an `api` process: leaves runs that are begun or resumed here to others. */
  others?: OtherProcesses | undefined;
  /** A run that another process left to this one begins here. */
  leftHere(runId: string): void;
  /** This process works on the run no more. */
  placeFreed(runId: string): void;
  /** Collects runs that a bug or a failing database ended here and that no process works on. */
  abandoned: Set<string>;
  logger: Logger;
};

type SessionEntry = Pick<EnteringRun, "runId" | "entry"> & { session: string | undefined; isFirst: boolean };

export function createEntrance(deps: EntranceDeps): Entrance {
  const { turns, active, broadcast, others, logger } = deps;

  function startOrLeave(options: StartRunOptions, place: Place): RunHandle {
    try {
      if (others) return deps.startRun({ ...options, isHandedOver: true });
      return deps.startRun(place.turn ? { ...options, turn: place.turn } : options);
    } catch (cause) {
      place.leave();
      throw cause;
    }
  }

  /** Throws `at-capacity` when too many like this run wait. Returns how it waits no more. */
  function wait(run: BacklogRun): () => void {
    // One of them runs.
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
      // A run that another run waits for has the place of that one: in a line behind it, neither would ever go on.
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
      active.set(runId, { handle, flow, turn, share, isLeftHere: place.isLeftHere ?? false });
      turns.found(runId);
      if (place.isLeftHere) deps.leftHere(runId);
      const leave = (outcome: RunOutcome) => {
        active.delete(runId);
        // It runs on without being here: nothing of its session may go on before it.
        if (handle.state.pause === "held") turns.strayed(runId);
        broadcast.leave(runId);
        place.leave();
        deps.placeFreed(runId);
        logger.debug("run-ended", { runId, outcome });
        if (outcome !== "stopped") return;
        void others?.handOver({ id: runId, leaseEpoch: options.epoch, isLeased: options.begin === undefined });
      };
      handle.done.then(leave, (cause: unknown) => {
        logger.error("run-broke", { runId, cause });
        turns.strayed(runId);
        deps.abandoned.add(runId);
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
