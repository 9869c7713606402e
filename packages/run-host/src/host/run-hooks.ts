import type { NodeServices } from "@weft/engine/node";
import type { EffectRecorder } from "@weft/engine/ports/effect-recorder";
import type { RunObserver } from "@weft/engine/ports/observer";
import type { ActiveRun } from "./admission.ts";

/** Services available to nodes outside of effects. */
export type Resolvers = Pick<NodeServices, "models" | "tools">;

/** Hooks of the command line between flows and the world. A server has none. */
export type RunHooks = {
  recorder?: EffectRecorder;
  wrapResolvers?(resolvers: Resolvers): Resolvers;
  /** Called after the platform's own observer. */
  observer?: RunObserver;
  /**
   * Creates another observer, which is also told what the host does for its runs. `runs`: those of this process by id.
   */
  watch?(runs: ReadonlyMap<string, ActiveRun>): RunWatcher;
};

/** Told what this process does for its runs besides their steps. Must return at once and must not throw. */
export type HostObserver = {
  /** Leases that were renewed, and those that turned out to be lost. */
  leasesRenewed(kept: number, lost: number): void;
  /** A run whose process is gone continues here. */
  takenOver(): void;
};

export type RunWatcher = RunObserver & HostObserver;
