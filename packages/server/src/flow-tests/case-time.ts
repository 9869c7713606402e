import { createHash } from "node:crypto";
import type { Clock, IdSource } from "@weft/engine";
import { systemClock } from "../system-clock.ts";

/** Time and ids that depend on nothing but the case that runs. */
export type CaseTime = {
  clock: Clock;
  ids: IdSource;
  /** Before the first case, time is that of the first one. */
  begin(flowCase: { name: string; nowMs: number }): void;
};

/** Time stands still during a case; waits are real. Ids ascend, so that what has one date keeps its order. */
export function createCaseTime(first: { nowMs: number }): CaseTime {
  let nowMs = first.nowMs;
  let seed = seedOf("");
  let count = 0;
  return {
    clock: { now: () => nowMs, elapsed: systemClock.elapsed, sleep: systemClock.sleep },
    ids: {
      uuid() {
        count += 1;
        return toUuid(Math.max(0, nowMs), count, seed);
      },
    },
    begin(flowCase) {
      ({ nowMs } = flowCase);
      seed = seedOf(flowCase.name);
      count = 0;
    },
  };
}

function seedOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 12);
}

/** A UUID of version 7 (RFC 9562) whose random bits are a count, then the seed. */
function toUuid(nowMs: number, count: number, seed: string): string {
  const time = nowMs.toString(16).padStart(12, "0");
  const counted = count.toString(16).padStart(6, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counted.slice(0, 3)}-8${counted.slice(3)}-${seed}`;
}
