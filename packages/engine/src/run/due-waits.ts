import type { Json, RunEventOf } from "@weft/schema";
import type { WaitEnd } from "../node-type.ts";
import { type OpenWait, openWaits } from "./readiness.ts";
import type { RunContext } from "./run-context.ts";
import type { RunState } from "./run-state.ts";

/** Releasing the run for so short a wait is not worth it: another process would pick it up about as late. */
const stayMs = 1_000;
/** How long a caller waits for an answer while its run only waits. */
const holdMs = 60_000;

/** The event that ends a wait at its deadline. */
export function endByTime({ nodeKey, wait }: OpenWait): RunEventOf<"node-resumed"> {
  const end: WaitEnd = { resumedBy: "time", at: wait.until ?? 0 };
  return { type: "node-resumed", nodeKey, nodeId: wait.nodeId, waitId: wait.waitId, answer: end, resumedBy: "time" };
}

/** The event that ends a wait with the signal that it names. */
export function endBySignal({ nodeKey, wait }: OpenWait, payload: Json, at: number): RunEventOf<"node-resumed"> {
  const end: WaitEnd = { resumedBy: "signal", at, signal: wait.signal ?? "", payload };
  return { type: "node-resumed", nodeKey, nodeId: wait.nodeId, waitId: wait.waitId, answer: end, resumedBy: "signal" };
}

/** The open waits that are due, earliest first. */
export function dueWaits(state: RunState, now: number): OpenWait[] {
  return timedWaits(state)
    .filter(({ until }) => until <= now)
    .map(({ open }) => open);
}

export function endDueWaits(run: RunContext): void {
  for (const open of dueWaits(run.state, run.clock.now())) run.journal.record(endByTime(open));
}

/** Whether a wait ends before this process would release the run and another pick it up. */
export function endsSoon({ state, clock }: Pick<RunContext, "state" | "clock">): boolean {
  const dueAt = nextDueAt(state);
  return dueAt !== undefined && dueAt - clock.now() <= stayMs;
}

/** Waits for the first of these promises, or until a wait is due. */
export async function untilFirst(run: RunContext, others: readonly Promise<unknown>[]): Promise<void> {
  const dueAt = nextDueAt(run.state);
  if (dueAt === undefined) {
    await Promise.race(others);
    return;
  }
  // Others must know of a wait before it begins.
  run.journal.flush().catch(() => undefined);
  const over = new AbortController();
  const due = run.clock.sleep(Math.max(0, dueAt - run.clock.now()), over.signal).catch(() => undefined);
  await Promise.race([...others, due]);
  over.abort("over");
}

/**
 * How a run that only waits is suspended. A caller is held only for a short time, and not if a human is asked as well.
 * A call from within another run always waits for the end.
 */
export function suspensionOf({ state, clock, info }: RunContext): RunEventOf<"run-suspended"> {
  const dueAt = nextDueAt(state);
  if (dueAt === undefined) return { type: "run-suspended" };
  const isAsking = openQuestions(state).length > 0;
  const isShort = dueAt - clock.now() <= holdMs || info.depth > 0;
  return { type: "run-suspended", dueAt, ...(isShort && !isAsking ? { holds: true } : {}) };
}

/** The questions to humans, in the order asked. */
export function openQuestions(state: RunState): OpenWait[] {
  return openWaits(state).filter(({ wait }) => wait.asks !== false);
}

function nextDueAt(state: RunState): number | undefined {
  return timedWaits(state)[0]?.until;
}

function timedWaits(state: RunState): { until: number; open: OpenWait }[] {
  if (!state.hasTimer) return [];
  return openWaits(state)
    .flatMap((open) => (open.wait.until === undefined ? [] : [{ until: open.wait.until, open }]))
    .sort((a, b) => a.until - b.until);
}
