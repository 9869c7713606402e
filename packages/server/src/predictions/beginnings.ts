/** Requests of this process that are about to begin a run whose id was fixed before. */
export type Beginnings = {
  /** Does `work`, which says with `accepted` that its run is durable. */
  track<T>(runId: string | undefined, work: (accepted: (run: Promise<void>) => void) => Promise<T>): Promise<T>;
  /** Waits until the run is durable. Rejects with what its request was refused with. At once when none begins it. */
  wait(runId: string): Promise<void>;
};

export function createBeginnings(): Beginnings {
  const open = new Map<string, Promise<void>>();
  return {
    async track(runId, work) {
      if (runId === undefined) return work(() => undefined);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      promise.catch(() => undefined);
      open.set(runId, promise);
      try {
        return await work(resolve);
      } catch (cause) {
        reject(cause);
        throw cause;
      } finally {
        open.delete(runId);
      }
    },
    wait: async (runId) => open.get(runId),
  };
}
