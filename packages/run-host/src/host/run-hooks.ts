import type { NodeServices } from "@weft/engine/node";
import type { EffectRecorder } from "@weft/engine/ports/effect-recorder";
import type { RunObserver } from "@weft/engine/ports/observer";
import type { ActiveRun, HostObserver } from "./host-context.ts";

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

export type RunWatcher = RunObserver & HostObserver;
