import { AsyncLocalStorage } from "node:async_hooks";

/** Tracks whether the running code is inside a write, so that a nested write is rejected instead of deadlocking. */
export type WriteScope = {
  /** Throws inside a write. */
  assertOutside(): void;
  /** Runs `fn` as a write; the scope ends when its promise settles. */
  run<T>(fn: () => Promise<T>): Promise<T>;
};

export function createWriteScope(): WriteScope {
  const scope = new AsyncLocalStorage<{ isOpen: boolean }>();
  return {
    assertOutside() {
      if (scope.getStore()?.isOpen) {
        throw new Error("A write cannot be started inside a write: pass on the handle that the outer write gave you.");
      }
    },
    async run(fn) {
      const state = { isOpen: true };
      try {
        return await scope.run(state, fn);
      } finally {
        state.isOpen = false;
      }
    },
  };
}
