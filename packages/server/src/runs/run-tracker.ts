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
import type { RunBroadcast } from "./run-broadcast.ts";
import type { RunTurn } from "./run-turn.ts";
import type { Admission, Turnstile } from "./turnstile.ts";

export type ActiveRun = { handle: RunHandle; flow: CompiledFlow; turn: RunTurn };

export type RunTrackerDeps = {
  engine: EngineDeps;
  turnstile: Turnstile;
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

export function createRunTracker({ engine, turnstile, active, broadcast, logger }: RunTrackerDeps): RunTracker {
  function startOrLeave(options: StartRunOptions, admission: Admission): RunHandle {
    try {
      return startRun(engine, admission.turn ? { ...options, turn: admission.turn } : options);
    } catch (cause) {
      admission.leave();
      throw cause;
    }
  }

  return {
    // A run that another run waits for has the place of that one: in a line behind it, neither would ever go on.
    admit: (begin) => (begin.depth > 0 ? { leave: () => undefined } : turnstile.enter(sessionKey(begin))),
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
