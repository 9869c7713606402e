import type { ReadyClaim } from "../journal/index.ts";
import type { HostContext } from "./host-context.ts";
import type { RunRecovery } from "./run-recovery.ts";

/**
 * Takes ready runs on, as many as this process has places for.
 * - I1 It looks when it is woken, every second, and while more are left whenever a place becomes free: so the next run of
 *   a session begins when the one before it has ended here.
 * - I2 One agent may have every place. The first run of another that comes then finds a guest place, of which there are few.
 * - I3 Where other processes take them at the same moment it looks again soon, at a moment of its own.
 */
export type RunIntake = {
  /** Resolves when this process has taken what it could, and has a place again. */
  wake(): Promise<void>;
  /** Call when a run of this process ends. */
  placeFreed(): void;
  /** Takes no more runs. Resolves when the claimed ones have started. */
  close(): Promise<void>;
};

/** Limits the claims of one statement. */
const mostAtOnce = 50;
const againAfterMs = 10;

/** Places beyond those of a process, for agents without a run there. */
const guestShare = 0.125;

/** `maxRunning`: while fewer than this run here, it takes ready runs. `take` continues a claimed one. */
export function createRunIntake(
  { store, clock, lessee, active, stopping, logger }: HostContext,
  { maxRunning, take }: { maxRunning: number; take: RunRecovery["takeReady"] },
): RunIntake {
  let isMoreLeft = false;
  let isClosed = false;
  let looking: Promise<void> | undefined;
  let isLookedForAgain = false;
  let timer: NodeJS.Timeout | undefined;
  let freed = Promise.withResolvers<void>();

  const freePlaces = () => (stopping.aborted ? 0 : maxRunning - active.size);

  /** Undefined if there is no place. */
  function nextClaim(): ReadyClaim | undefined {
    if (isClosed || stopping.aborted) return undefined;
    const free = freePlaces();
    if (free > 0) return { ...lessee, limit: Math.min(mostAtOnce, free) };
    const guests = Math.ceil(maxRunning * (1 + guestShare)) - active.size;
    const agentsHere = new Set([...active.values()].map(({ handle }) => handle.state.started?.agentId ?? ""));
    return guests > 0 ? { ...lessee, limit: guests, except: [...agentsHere] } : undefined;
  }

  async function lookOnce(): Promise<void> {
    for (let claim = nextClaim(); claim !== undefined; claim = nextClaim()) {
      const heldSince = clock.elapsed();
      const { claimed, left } = await store.claimReady(claim);
      isMoreLeft = left !== "none";
      await Promise.all(claimed.map((row) => take({ row, heldSince })));
      if (left === "contended") return again();
      if (claimed.length < claim.limit) return;
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
