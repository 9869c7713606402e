import {
  type CompiledFlow,
  type EngineDeps,
  type RunHandle,
  type RunOutcome,
  type StartRunOptions,
  startRun,
} from "@weft/engine";
import type { RunEventOf } from "@weft/schema";
import type { Logger } from "../logger.ts";
import { isBuiltIn } from "./built-in-flows.ts";
import type { RunBroadcast } from "./run-broadcast.ts";
import type { RunTurn } from "./run-turn.ts";
import type { Admission, Turnstile } from "./turnstile.ts";

export type ActiveRun = { handle: RunHandle; flow: CompiledFlow; turn: RunTurn };

export type RunTrackerDeps = {
  engine: EngineDeps;
  turnstile: Turnstile;
  /** For runs of built-in flows: they take no place from those that somebody waits for. */
  builtInTurnstile: Turnstile;
  /** Runs of this process by id, shared with the projection that writes their chat messages. */
  active: Map<string, ActiveRun>;
  broadcast: Pick<RunBroadcast, "leave">;
  logger: Logger;
};

/** Starts runs in this process and keeps them until they are over here. */
export type RunTracker = {
  /** A place in the line of the run's session. Throws `at-capacity`. */
  admit(begin: RunEventOf<"run-started">): Admission;
  /** Throws when the journal cannot be folded, and then gives the place back. */
  track(options: StartRunOptions, turn: RunTurn, admission: Admission): RunHandle;
};

export function createRunTracker(deps: RunTrackerDeps): RunTracker {
  const { engine, active, broadcast, logger } = deps;

  function startOrLeave(options: StartRunOptions, admission: Admission): RunHandle {
    try {
      return startRun(engine, admission.turn ? { ...options, turn: admission.turn } : options);
    } catch (cause) {
      admission.leave();
      throw cause;
    }
  }

  return {
    admit(begin) {
      // A run that another run waits for has the place of that one: in a line behind it, neither would ever go on.
      if (begin.depth > 0) return { leave: () => undefined };
      const turnstile = isBuiltIn(begin.flowVersionId) ? deps.builtInTurnstile : deps.turnstile;
      return turnstile.enter(sessionKey(begin));
    },
    track(options, turn, admission) {
      const { runId, flow } = options;
      const handle = startOrLeave(options, admission);
      active.set(runId, { handle, flow, turn });
      const leave = (outcome: RunOutcome) => {
        active.delete(runId);
        broadcast.leave(runId);
        admission.leave();
        logger.debug("run-ended", { runId, outcome });
      };
      handle.done.then(leave, (cause: unknown) => {
        logger.error("run-broke", { runId, cause });
        leave("lost");
      });
      return handle;
    },
  };
}

/** Sessions belong to an agent: the same session id of two agents is two sessions. */
function sessionKey({ agentId, sessionId }: { agentId: string; sessionId: string }): string {
  return `${agentId}/${sessionId}`;
}
