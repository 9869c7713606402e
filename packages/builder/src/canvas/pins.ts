import type { AgentDraft, Pin } from "@weft/client";
import { createKeyedStore, type KeyedValues } from "./session/keyed-store.ts";

export type Pins = AgentDraft["pins"];

/** Replacements for executing steps in test runs of the open draft. Part of the draft, not of the flow. */
export type FlowPins = KeyedValues<Pin> & {
  /** Undefined: the step is executed again. */
  set(nodeId: string, pin: Pin | undefined): void;
  /** Referentially stable until something changes. */
  all(): Pins;
  /** Called on every change. */
  watch(listener: () => void): () => void;
};

export function createFlowPins(opened: Pins): FlowPins {
  const store = createKeyedStore<Pin>();
  const listeners = new Set<() => void>();
  let pins = opened;
  store.replace(new Map(Object.entries(opened)));
  return {
    get: store.get,
    subscribe: store.subscribe,
    set(nodeId, pin) {
      const { [nodeId]: _, ...others } = pins;
      pins = pin === undefined ? others : { ...others, [nodeId]: pin };
      store.replace(new Map(Object.entries(pins)));
      for (const listener of listeners) listener();
    },
    all: () => pins,
    watch(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
