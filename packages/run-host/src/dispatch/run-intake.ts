import type { Logger } from "@weft/http/logger";
import type { Lessee, RunStore } from "../journal/index.ts";
import type { RunRow } from "../run-tables.ts";

export type RunIntakeDeps = {
  store: Pick<RunStore, "claimReady">;
  lessee: Lessee;
  /** Runs that this process can take on at this moment. */
  freePlaces(): number;
  /** Goes on with a run that was claimed. */
  take(row: RunRow): Promise<void>;
  logger: Logger;
};

/**
 * Takes ready runs on, as many as this process has places for.
 * - I1 It looks when it is woken, every second, and while more are left whenever a place becomes free: so the next run of
 *   a session begins when the one before it has ended here.
 * - I2 Where other processes take them at the same moment it looks again soon, at a moment of its own.
 */
export type RunIntake = {
  /** Resolves when this process has taken what it could, and has a place again. */
  wake(): Promise<void>;
  /** A run of this process has ended. */
  placeFreed(): void;
  /** Takes nothing more. Resolves when what was claimed has begun. */
  close(): Promise<void>;
};

/** Bounds what is claimed in one statement. */
const mostAtOnce = 50;
const againAfterMs = 10;

export function createRunIntake({ store, lessee, freePlaces, take, logger }: RunIntakeDeps): RunIntake {
  let isMoreLeft = false;
  let isClosed = false;
  let looking: Promise<void> | undefined;
  let isLookedForAgain = false;
  let timer: NodeJS.Timeout | undefined;
  let freed = Promise.withResolvers<void>();

  async function lookOnce(): Promise<void> {
    for (;;) {
      const limit = Math.min(mostAtOnce, freePlaces());
      if (limit <= 0 || isClosed) return;
      const { claimed, left } = await store.claimReady({ ...lessee, limit });
      isMoreLeft = left !== "none";
      for (const row of claimed) await take(row);
      if (left === "contended") return again();
      if (claimed.length < limit) return;
    }
  }

  function again(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      look().catch(() => undefined);
    }, againAfterMs * Math.random());
    timer.unref();
  }

  function look(): Promise<void> {
    if (looking) {
      isLookedForAgain = true;
      return looking;
    }
    looking = lookOnce()
      .catch((cause: unknown) => logger.warn("ready-runs-not-claimed", { cause }))
      .then(() => {
        looking = undefined;
        const isAgain = isLookedForAgain && !isClosed;
        isLookedForAgain = false;
        return isAgain ? look() : undefined;
      });
    return looking;
  }

  return {
    async wake() {
      isMoreLeft = true;
      await look();
      while (!isClosed && freePlaces() <= 0) await freed.promise;
    },
    placeFreed() {
      freed.resolve();
      freed = Promise.withResolvers();
      if (isMoreLeft && !isClosed) look().catch(() => undefined);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      freed.resolve();
      await looking;
    },
  };
}
