import type { Share } from "@weft/schema";
import { createTurnstile } from "../runs/turnstile.ts";

/**
 * Lets a few upserts of this process work at once: each keeps a core busy for a good part of its time.
 * `use` runs `work` when a slot is free; it rejects with the signal's reason when that comes first.
 */
export type WorkSlots = { use<T>(run: SlotUser, signal: AbortSignal, work: () => Promise<T>): Promise<T> };

type SlotUser = { share: Share };

export function createWorkSlots(count: number): WorkSlots {
  const slots = createTurnstile({ maxRunning: count, maxWaiting: Number.POSITIVE_INFINITY });
  return {
    async use({ share }, signal, work) {
      const { turn, leave } = slots.enter(share);
      try {
        if (turn !== undefined) await orAborted(turn, signal);
        return await work();
      } finally {
        leave();
      }
    },
  };
}

async function orAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([turn, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
