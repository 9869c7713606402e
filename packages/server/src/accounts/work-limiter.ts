import { WeftError } from "@weft/schema";

/** Runs costly work a few at a time, in order. */
export type WorkLimiter = {
  /** Throws `rate-limited` at once when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export function createWorkLimiter({ running, waiting }: { running: number; waiting: number }): WorkLimiter {
  const queue: (() => void)[] = [];
  let free = running;

  return {
    async run(work) {
      if (free > 0) free--;
      else if (queue.length >= waiting) throw new WeftError("rate-limited", { params: { retryAfterSeconds: 5 } });
      else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next === undefined) free++;
        else next();
      }
    },
  };
}
