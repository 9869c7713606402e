import type { NodeServices } from "@weft/engine/node";
import type { EffectRecorder } from "@weft/engine/ports/effect-recorder";
import type { RunObserver } from "@weft/engine/ports/observer";
import type { ActiveRun } from "./admission.ts";

/** What nodes find outside of effects. */
export type Resolvers = Pick<NodeServices, "models" | "tools">;

/** What the command line lays between flows and the world. A server has none. */
export type RunHooks = {
  recorder?: EffectRecorder;
  wrapResolvers?(resolvers: Resolvers): Resolvers;
  /** Hears what the platform's own observer hears, after it. */
  observer?: RunObserver;
  /** Makes another observer, which also hears what the host does for its runs. `runs`: those of this process by id. */
  watch?(runs: ReadonlyMap<string, ActiveRun>): RunWatcher;
};

/** Told what this process does for its runs beside their steps. Must return at once and must not throw. */
export type HostObserver = {
  /** Leases that were renewed, and others that turned out not to be held any more. */
  leasesRenewed(kept: number, lost: number): void;
  /** A run whose process is gone goes on here. */
  takenOver(): void;
};

export type RunWatcher = RunObserver & HostObserver;

export function bothOf(first: RunObserver, second: RunObserver | undefined): RunObserver {
  if (!second) return first;
  return {
    committed(runId, events) {
      first.committed(runId, events);
      second.committed(runId, events);
    },
    delta(delta) {
      first.delta(delta);
      second.delta(delta);
    },
  };
}
