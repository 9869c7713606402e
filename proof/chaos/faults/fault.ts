import type { Cluster } from "../house/cluster.ts";
import type { World } from "../load/player.ts";

export type FaultContext = World & {
  /** To be called when something breaks; what clients wait for from then on is measured. */
  struck(): void;
};

/** One way in which a server, its database or its disk fails. */
export type Fault = {
  name: string;
  /** Why it cannot be had here; undefined when it can. */
  whyNot?(cluster: Cluster): string | undefined;
  /** Lets it happen once. Resolves when everything is there again. */
  strike(context: FaultContext): Promise<void>;
};
