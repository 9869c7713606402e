import { WeftError } from "@weft/schema";
import { createLines } from "../lines.ts";

export type TurnstileOptions = {
  /** Runs that execute at once in this process. */
  maxRunning: number;
  /** Accepted runs that may wait for their turn. */
  maxWaiting: number;
};

/** A place in the line. `turn` is absent when it is our turn at once. */
export type Admission = { turn?: Promise<void>; leave(): void };

/**
 * Two messages of one session run one after the other, in order of arrival, and no more runs at once than the
 * process may. Throws `at-capacity` when the line is full.
 */
export type Turnstile = { enter(session: string): Admission };

export function createTurnstile({ maxRunning, maxWaiting }: TurnstileOptions): Turnstile {
  const sessions = createLines();
  const waiting: (() => void)[] = [];
  let running = 0;
  let inLine = 0;

  function takeSlot(): Promise<void> | undefined {
    if (running < maxRunning) {
      running += 1;
      return undefined;
    }
    return new Promise((resolve) => waiting.push(resolve));
  }

  function freeSlot(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  async function waitFor(before: Promise<void> | undefined): Promise<void> {
    inLine += 1;
    try {
      await before;
      await takeSlot();
    } finally {
      inLine -= 1;
    }
  }

  return {
    enter(session) {
      const place = sessions.enter(session);
      const mustWait = place.turn !== undefined || running >= maxRunning;
      if (mustWait && inLine >= maxWaiting) {
        place.leave();
        throw new WeftError("at-capacity", { params: { limit: maxRunning + maxWaiting, retryAfterSeconds: 1 } });
      }
      const turn = mustWait ? waitFor(place.turn) : undefined;
      if (!turn) running += 1;
      const leave = () => {
        place.leave();
        // The slot may not be ours yet when the run ends before its turn came.
        if (turn) void turn.then(freeSlot);
        else freeSlot();
      };
      return turn ? { turn, leave } : { leave };
    },
  };
}
