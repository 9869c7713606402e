import assert from "node:assert/strict";
import { isTerminalEvent, type RunEvent, WeftError } from "@weft/schema";
import type { Clock } from "../ports/clock.ts";
import type { MemoryJournal } from "./memory-journal.ts";

/**
 * How a call fails: with an error, with the death of the process before or after it, or by never returning. A process
 * with a call that does not come back is given up while it lives: another takes its runs, and then the call goes on.
 */
export type Way = "error" | "crash-before" | "crash-after" | "hang";
export const ways: readonly Way[] = ["error", "crash-before", "crash-after", "hang"];

/** Where the engine leaves itself. */
export type Port =
  | "journal"
  | "model"
  | "tool"
  | "http"
  | "sandbox"
  | "credentials"
  | "retriever"
  | "memory"
  | "variables"
  | "child runs"
  | "clock";

/** Counts calls of all ports and makes one of them fail. After a crash nothing of this process happens. */
export type Fault = {
  /** The ports that were called, in order. */
  readonly calls: readonly Port[];
  /** Resolves when the process has died or was given up. */
  readonly died: Promise<void>;
  /** Whether the process lives on although it was given up. */
  readonly isGivenUp: boolean;
  /** Lets a call that did not come back go on, late. */
  release(): void;
  around<T>(port: Port, call: () => Promise<T>): Promise<T>;
};

/** Makes the `at`-th call fail, counted from 1. */
export function createFault(at: number, way: Way): Fault {
  const calls: Port[] = [];
  let isDead = false;
  let isGivenUp = false;
  const died = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const never = () => new Promise<never>(() => undefined);
  return {
    calls,
    died: died.promise,
    get isGivenUp() {
      return isGivenUp;
    },
    release: released.resolve,
    async around(port, call) {
      if (isDead) return never();
      calls.push(port);
      if (calls.length !== at) return call();
      if (way === "error") throw new WeftError("egress-failed", { params: { url: "port", reason: "injected" } });
      if (way === "hang") {
        isGivenUp = true;
        // What else is under way in memory comes to its end first.
        setImmediate(died.resolve);
        await released.promise;
        return call();
      }
      if (way === "crash-after") await call();
      isDead = true;
      died.resolve();
      return never();
    },
  };
}

/** No call fails. */
export const noFault = (): Fault => createFault(-1, "error");

export function faultyJournal(journal: MemoryJournal, fault: Fault): MemoryJournal {
  return { ...journal, append: (batch) => fault.around("journal", () => journal.append(batch)) };
}

/** Sleeps that end by themselves may be the last that a process does. */
export function faultyClock(clock: Clock, fault: Fault): Clock {
  return {
    ...clock,
    sleep(ms, signal) {
      if (!Number.isFinite(ms)) return clock.sleep(ms, signal);
      return fault.around("clock", () => clock.sleep(ms, signal));
    },
  };
}

/** What holds of every journal of a run that is over: one terminal event, dense numbers, nothing done twice. */
export function assertJournal(events: readonly RunEvent[], label: string): void {
  assert.equal(events.filter(isTerminalEvent).length, 1, `${label}: one terminal event`);
  assert.ok(events.at(-1) && isTerminalEvent(events.at(-1) as RunEvent), `${label}: it is the last`);
  for (const [index, event] of events.entries()) assert.equal(event.seq, index + 1, `${label}: dense`);
  const finished = new Set<string>();
  const kinds = new Map<string, string>();
  for (const event of events) {
    if (event.type !== "effect-started" && event.type !== "effect-finished") continue;
    const id = `${event.nodeKey}:${event.effectKey}`;
    if (event.type === "effect-started") {
      assert.ok(!finished.has(id), `${label}: ${id} began again after it was finished`);
      assert.ok(event.kind !== "write" || !kinds.has(id), `${label}: the write ${id} began twice`);
      kinds.set(id, event.kind);
    } else if (event.outcome.ok || kinds.get(id) === "write") {
      assert.ok(!finished.has(id), `${label}: ${id} finished twice`);
      finished.add(id);
    }
  }
  const started = events
    .filter((event) => event.type === "node-started")
    .map((event) => `${event.nodeKey} ${event.attempt}`);
  assert.equal(new Set(started).size, started.length, `${label}: a step started twice`);
  const completed = events.filter((event) => event.type === "node-completed").map((event) => event.nodeKey);
  assert.equal(new Set(completed).size, completed.length, `${label}: a step completed twice`);
}
