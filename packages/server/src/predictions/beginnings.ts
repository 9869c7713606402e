/** Requests of this process that are about to begin a run whose id was fixed before. */
export type Beginnings = {
  /** Does `work`, which says with `accepted` that its run, or that of an equal request elsewhere, is durable. */
  track<T>(runId: string | undefined, work: (accepted: (run: Promise<unknown>) => void) => Promise<T>): Promise<T>;
  /** Waits until the run is durable. Rejects with what its request was refused with. At once when none begins it. */
  wait(runId: string): Promise<void>;
};

export function createBeginnings(): Beginnings {
  const open = new Map<string, Promise<unknown>>();
  return {
    async track(runId, work) {
      if (runId === undefined) return work(() => undefined);
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      promise.catch(() => undefined);
      open.set(runId, promise);
      try {
        // One that another process was first to begin is answered from there: `work` knows.
        const done = await work((run) => void run.then(resolve, () => undefined));
        resolve(undefined);
        return done;
      } catch (cause) {
        reject(cause);
        throw cause;
      } finally {
        open.delete(runId);
      }
    },
    async wait(runId) {
      await open.get(runId);
    },
  };
}

/** Adds a batch of any length to a list. Spread as arguments, a long one would overflow the stack. */
export function collect<T>(list: T[], batch: readonly T[]): void {
  for (const item of batch) list.push(item);
}
