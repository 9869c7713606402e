import type { NodeServices } from "@weft/engine/node";
import type { EffectRecorder } from "@weft/engine/ports/effect-recorder";
import type { RunObserver } from "@weft/engine/ports/observer";

/** What nodes find outside of effects. */
export type Resolvers = Pick<NodeServices, "models" | "tools">;

/** What the command line lays between flows and the world. A server has none. */
export type RunHooks = {
  recorder?: EffectRecorder;
  wrapResolvers?(resolvers: Resolvers): Resolvers;
  /** Hears what the platform's own observer hears, after it. */
  observer?: RunObserver;
};

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
