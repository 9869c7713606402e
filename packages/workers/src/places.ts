import type { Share } from "@weft/schema";

type PlacesOptions = {
  /** Places of all callers. */
  total: number;
  /** Total places of anonymous callers. Default: half of the total, at least one. */
  anonymous?: number;
};

/**
 * Places that callers share: slots, threads, positions in a line. Invariants:
 * - P1 No more than `total` are taken, and no more than `anonymous` by visitors.
 * - P2 A share that holds none may take any free place.
 * - P3 A share that holds some takes another only while it then holds no more than what stays free. So one share alone
 *   takes half, two take a third each, and a newcomer finds a place without waiting for others to finish.
 * - P4 A group of shares (an agent, for all its callers) that holds some takes another only while it then holds no more
 *   than three times what stays free: one agent alone takes three quarters, however many callers it has.
 * Source of P3 and P4: Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches" (1998), α = 1 and 3.
 */
export type Places = {
  mayTake(share: Share): boolean;
  /** Takes a place if the share may. */
  take(share: Share): boolean;
  /** Returns a place. */
  give(share: Share): void;
  /** Number of places that a share holds. */
  heldBy(share: Share): number;
};

export function createPlaces({ total, anonymous = Math.max(1, Math.floor(total / 2)) }: PlacesOptions): Places {
  const held = new Map<string, number>();
  const heldByGroups = new Map<string, number>();
  let taken = 0;
  let takenByVisitors = 0;

  const heldBy = (share: Share) => held.get(keyOf(share)) ?? 0;

  function mayTake(share: Share): boolean {
    const free = share.isAnonymous ? Math.min(total - taken, anonymous - takenByVisitors) : total - taken;
    const own = heldBy(share);
    const group = heldByGroups.get(groupOf(share)) ?? 0;
    return free > 0 && (own === 0 || own + 1 <= free - 1) && (group === 0 || group + 1 <= 3 * (free - 1));
  }

  function count(share: Share, change: 1 | -1): void {
    add(held, keyOf(share), change);
    add(heldByGroups, groupOf(share), change);
    taken += change;
    if (share.isAnonymous) takenByVisitors += change;
  }

  return {
    mayTake,
    heldBy,
    take(share) {
      if (!mayTake(share)) return false;
      count(share, 1);
      return true;
    },
    give: (share) => count(share, -1),
  };
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** A share without a group is its own group. Visitors of an agent do not count towards its known callers. */
function groupOf(share: Share): string {
  return share.group === undefined ? keyOf(share) : `group ${keyOf({ ...share, name: share.group })}`;
}

/** A visitor never shares with a known caller, whatever the names. */
export function keyOf({ name, isAnonymous }: Share): string {
  return `${isAnonymous ? "visitor" : "known"} ${name}`;
}

/** A place in a line. */
export type Place = {
  /** Resolves when all earlier ones have left. Absent: there were none. */
  readonly turn?: Promise<void>;
  /** Lets the next one proceed, now or when its turn comes. Further calls have no effect. */
  leave(): void;
};

/** Queues by name, first come, first served. An empty one takes no memory. */
export type Lines = { enter(name: string): Place };

type Standing = { call(): void };

export function createLines(): Lines {
  const lines = new Map<string, Standing[]>();
  return {
    enter(name) {
      const line = lines.get(name) ?? [];
      lines.set(name, line);
      const { promise, resolve } = Promise.withResolvers<void>();
      const standing: Standing = { call: resolve };
      const isFirst = line.push(standing) === 1;
      const leave = () => {
        const index = line.indexOf(standing);
        if (index < 0) return;
        line.splice(index, 1);
        // One that leaves before its turn has nothing more to wait for.
        standing.call();
        if (index > 0) return;
        if (line.length === 0) lines.delete(name);
        line[0]?.call();
      };
      return isFirst ? { leave } : { turn: promise, leave };
    },
  };
}

/**
 * Yields to the event loop whenever work has taken long enough: await it after each step, with the size of the buffers
 * that the step has read and left behind. V8 frees those with the small objects that stand for them, which a loop over
 * large pieces leaves uncollected for tens of megabytes; here they are collected every two.
 */
export function createPause(): (leftBytes?: number) => Promise<void> {
  let since = performance.now();
  let uncollectedBytes = 0;
  return async (leftBytes = 0) => {
    uncollectedBytes += leftBytes;
    if (uncollectedBytes >= collectedAtOnce) {
      uncollectedBytes = 0;
      // Takes about a millisecond. Without `--expose-gc` V8 does it in its own time.
      globalThis.gc?.({ type: "minor" });
    }
    if (performance.now() - since < maxTurnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}

const maxTurnMs = 8;
const collectedAtOnce = 2 * 1_024 ** 2;
