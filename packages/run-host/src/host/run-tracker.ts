import {
  type CompiledFlow,
  type EngineDeps,
  type RunHandle,
  type RunOutcome,
  type StartRunOptions,
  startRun,
} from "@weft/engine";
import type { Logger } from "@weft/http";
import { noShare, type RunEventOf, type Share } from "@weft/schema";
import { hasTurn, isBuiltIn, type RunTurn, type SessionTurns, sessionKey } from "../journal/index.ts";
import type { RunBroadcast } from "./run-broadcast.ts";
import type { Admission, Turnstile } from "./turnstile.ts";

export type ActiveRun = { handle: RunHandle; flow: CompiledFlow; turn: RunTurn; share: Share };

export type RunTrackerDeps = {
  engine: EngineDeps;
  turnstile: Turnstile;
  turns: SessionTurns;
  /** For runs of built-in flows: they take no place from those that somebody waits for. */
  builtInTurnstile: Turnstile;
  /** Runs of this process by id, shared with the projection that writes their chat messages. */
  active: Map<string, ActiveRun>;
  broadcast: Pick<RunBroadcast, "leave">;
  /** Called for a run that ended here because of a bug or a failing database. */
  abandon(runId: string): void;
  logger: Logger;
};

/** Starts runs in this process and keeps them until they are over here. */
export type RunTracker = {
  /** A place in the line. Throws `at-capacity` for a run that is not accepted yet. */
  admit(run: AdmittedRun): Admission;
  /** Throws when the journal cannot be folded, and then gives the place back. */
  track(options: StartRunOptions, turn: RunTurn, admission: Admission): RunHandle;
};

export type AdmittedRun = { runId: string; begin: RunEventOf<"run-started">; share: Share; isTakenOver?: boolean };

export function createRunTracker(deps: RunTrackerDeps): RunTracker {
  const { engine, turns, active, broadcast, logger } = deps;

  function startOrLeave(options: StartRunOptions, admission: Admission): RunHandle {
    try {
      return startRun(engine, admission.turn ? { ...options, turn: admission.turn } : options);
    } catch (cause) {
      admission.leave();
      throw cause;
    }
  }

  return {
    admit({ runId, begin, share, isTakenOver = false }) {
      // A run that another run waits for has the place of that one: in a line behind it, neither would ever go on.
      if (begin.depth > 0) return { leave: () => undefined };
      const turnstile = isBuiltIn(begin.flowVersionId) ? deps.builtInTurnstile : deps.turnstile;
      const session = hasTurn(begin) ? turns.enter({ runId, session: sessionKey(begin), isTakenOver }) : undefined;
      try {
        const { turn, leave } = isTakenOver ? turnstile.enterAgain(share, session) : turnstile.enter(share, session);
        const leaveBoth = () => {
          leave();
          turns.leave(runId);
        };
        return turn ? { turn, leave: leaveBoth } : { leave: leaveBoth };
      } catch (cause) {
        turns.leave(runId);
        throw cause;
      }
    },
    track(options, turn, admission) {
      const { runId, flow, share = noShare } = options;
      const handle = startOrLeave(options, admission);
      active.set(runId, { handle, flow, turn, share });
      const leave = (outcome: RunOutcome) => {
        active.delete(runId);
        broadcast.leave(runId);
        admission.leave();
        logger.debug("run-ended", { runId, outcome });
      };
      handle.done.then(leave, (cause: unknown) => {
        logger.error("run-broke", { runId, cause });
        deps.abandon(runId);
        leave("lost");
      });
      return handle;
    },
  };
}
