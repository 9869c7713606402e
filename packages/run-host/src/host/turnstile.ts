import { type Share, WeftError } from "@weft/schema";
import { createPlaces, type Place } from "@weft/workers";
import type { SessionTurn } from "../journal/index.ts";

export type TurnstileOptions = {
  /** Runs that execute at once in this process. */
  maxRunning: number;
  /** Accepted runs that may wait for their turn. */
  maxWaiting: number;
  /** Visitors' runs that execute at once, in total. Default: half of all. */
  maxAnonymous?: number;
  /** How late the event loop is, and how late it may be, in milliseconds. Default: it is never late. */
  loop?: { lateMs(): number; limitMs: number };
};

/**
 * Gives runs their turns. Throws `at-capacity` when the line, or the share's part of it, is full. Invariants:
 * - T1 No run takes its turn before that of its session has come, and until then it holds no slot: runs of two processes
 *   could otherwise wait for each other.
 * - T2 No more runs at once than the process may, and of one share no more than `createPlaces` gives it: one that comes
 *   finds a slot although another one has more to do than the process can.
 * - T3 A slot that is free goes to the waiting share with the fewest running, and within it to the earliest.
 * - T4 A run that leaves before its turn takes none.
 * - T5 What was accepted is never refused: a run that must wait after all does so beyond the line's limit.
 * - T6 While the event loop is late, no share that runs something here begins more. One that runs nothing does, until the
 *   loop is later still: others cannot keep it out, and many that come at once cannot stop the process.
 */
export type Turnstile = {
  /** Throws `at-capacity` as T6 says, for a message of which nothing has been read yet. */
  assertInTime(share: Share): void;
  enter(share: Share, session?: SessionTurn): Place;
  /** For runs that were accepted long ago, and are taken over: nothing refuses them. */
  enterAgain(share: Share, session?: SessionTurn): Place;
};

type Waiting = { share: Share; call(): void };

export function createTurnstile({ maxRunning, maxWaiting, maxAnonymous, loop }: TurnstileOptions): Turnstile {
  const slots = createPlaces({ total: maxRunning, ...(maxAnonymous === undefined ? {} : { anonymous: maxAnonymous }) });
  const line = createPlaces({ total: maxWaiting });
  const queue = createQueue(slots);

  /** Waits for the session, then for a slot; or holds a slot until it turns out that another run is first. */
  function stand(share: Share, session: SessionTurn | undefined, begins: "in line" | "beyond the line" | "in a slot") {
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    let holds: "a place in line" | "a slot" | undefined;
    let hasLeft = false;
    const letGo = () => {
      if (holds === "a slot") slots.give(share);
      if (holds === "a place in line") line.give(share);
      holds = undefined;
    };
    const entry: Waiting = {
      share,
      call() {
        if (holds === "a place in line") line.give(share);
        holds = "a slot";
        resolve();
      },
    };
    const waitForSlot = () => {
      if (!hasLeft) queue.join(entry);
    };
    const standAside = () => {
      if (hasLeft) return;
      letGo();
      queue.serve();
      void session?.turn.then(waitForSlot);
    };
    if (begins === "in a slot") {
      holds = "a slot";
      void session?.isNext.then((isNext) => (isNext ? resolve() : standAside()));
    } else {
      if (begins === "in line") holds = "a place in line";
      if (session) void session.turn.then(waitForSlot);
      else waitForSlot();
    }
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      queue.leave(entry);
      letGo();
      queue.serve();
    };
    return begins === "in a slot" && !session ? { leave } : { turn, leave };
  }

  function refuse(share: Share): never {
    const params = { limit: maxRunning + maxWaiting, retryAfterSeconds: 1 };
    if (line.heldBy(share) === 0) throw new WeftError("at-capacity", { params });
    throw new WeftError("at-capacity", { params, message: tooManyOfOne });
  }

  return {
    assertInTime(share) {
      if (loop === undefined) return;
      const limitMs = slots.heldBy(share) === 0 ? loop.limitMs * newcomersFactor : loop.limitMs;
      if (loop.lateMs() > limitMs) throw tooLate();
    },
    enter(share, session) {
      if (!session?.mustWait && slots.take(share)) return stand(share, session, "in a slot");
      if (!line.take(share)) refuse(share);
      return stand(share, session, "in line");
    },
    enterAgain: (share, session) => stand(share, session, "beyond the line"),
  };
}

/** Runs whose session lets them proceed, waiting for a slot. */
function createQueue(slots: ReturnType<typeof createPlaces>) {
  /** In order of arrival. */
  const waiting = new Set<Waiting>();

  function first(): Waiting | undefined {
    let next: Waiting | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const entry of waiting) {
      const running = slots.heldBy(entry.share);
      if (running >= fewest || !slots.mayTake(entry.share)) continue;
      next = entry;
      fewest = running;
    }
    return next;
  }

  function serve(): void {
    for (let next = first(); next !== undefined; next = first()) {
      slots.take(next.share);
      waiting.delete(next);
      next.call();
    }
  }

  return {
    serve,
    join(entry: Waiting): void {
      waiting.add(entry);
      serve();
    },
    leave: (entry: Waiting): unknown => waiting.delete(entry),
  };
}

/** How much later the loop may be for a share that runs nothing. */
const newcomersFactor = 5;

function tooLate(): WeftError {
  const message = "The server has more to do at this moment than it can. Try again in 1 second.";
  return new WeftError("at-capacity", { params: { retryAfterSeconds: 1 }, message });
}

const tooManyOfOne =
  "Too many messages from this client are waiting for this agent. Wait until some are answered, and try again in 1 second.";
