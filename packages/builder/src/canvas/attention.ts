import { createKeyedStore, type KeyedValues } from "./session/keyed-store.ts";

/** Which empty fields say that they are: those that were left, and all of a step once something asked for it. */
export type Attention = {
  /** By the id of a step. */
  readonly steps: KeyedValues<AskedFields>;
  /** The field of a step was left. */
  leave(nodeId: string, path: string): void;
  /** Somebody looks for the problems of a step. */
  demand(nodeId: string): void;
  /** The flow is about to be used: every step has to be complete. */
  demandAll(): void;
};

/** Paths of the fields that were left. */
type AskedFields = { all: boolean; left: ReadonlySet<string> };

const nothing: AskedFields = { all: false, left: new Set() };

export function createAttention(nodeIds: () => Iterable<string>): Attention {
  const steps = createKeyedStore<AskedFields>();
  const of = (nodeId: string) => steps.get(nodeId) ?? nothing;
  const demand = (nodeId: string) => {
    if (!of(nodeId).all) steps.set(nodeId, { ...of(nodeId), all: true });
  };
  return {
    steps,
    leave(nodeId, path) {
      const { all, left } = of(nodeId);
      if (!left.has(path)) steps.set(nodeId, { all, left: new Set([...left, path]) });
    },
    demand,
    demandAll() {
      for (const id of nodeIds()) demand(id);
    },
  };
}

/** Whether a problem of an empty field is said. */
export function isAsked(asked: AskedFields = nothing, path: string): boolean {
  return asked.all || asked.left.has(path);
}
