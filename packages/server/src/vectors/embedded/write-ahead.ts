/** Writes, two at a time at most: the next one is made while the disk still works on the one before it. */
export type WriteAhead = {
  /** Starts a write. Resolves when no other is open; rejects with what an earlier one failed with. */
  add(write: () => Promise<void>): Promise<void>;
  /** Resolves when none is open; rejects with what the last ones failed with. */
  end(): Promise<void>;
};

export function createWriteAhead(): WriteAhead {
  let before: Promise<void> = Promise.resolve();
  let last: Promise<void> = Promise.resolve();
  return {
    async add(write) {
      before = last;
      last = write();
      // Its failure is reported by a later call.
      last.catch(() => {});
      await before;
    },
    async end() {
      await Promise.allSettled([before, last]);
      await before;
      await last;
    },
  };
}
