import assert from "node:assert/strict";
import { isTerminalEvent, type RunEvent, WeftError } from "@weft/schema";
import type { MemoryJournal } from "./memory-journal.ts";

/** How a call fails: with an error, or with the death of the process before, after or in the middle of it. */
export type Way = "error" | "crash-before" | "crash-after" | "hang";
export const ways: readonly Way[] = ["error", "crash-before", "crash-after", "hang"];

/** Counts calls of all ports and makes one of them fail. After a crash or a hang nothing of this process happens. */
export type Fault = {
  readonly calls: number;
  /** Resolves when the process has died. */
  readonly died: Promise<void>;
  around<T>(call: () => Promise<T>): Promise<T>;
};

/** Makes the `at`-th call fail, counted from 1. */
export function createFault(at: number, way: Way): Fault {
  let calls = 0;
  let isDead = false;
  const died = Promise.withResolvers<void>();
  const never = () => new Promise<never>(() => undefined);
  return {
    get calls() {
      return calls;
    },
    died: died.promise,
    async around(call) {
      if (isDead) return never();
      calls += 1;
      if (calls !== at) return call();
      if (way === "error") throw new WeftError("egress-failed", { params: { url: "port", reason: "injected" } });
      if (way === "crash-after") await call();
      isDead = true;
      died.resolve();
      return never();
    },
  };
}

export function faultyJournal(journal: MemoryJournal, fault: Fault): MemoryJournal {
  return { ...journal, append: (batch) => fault.around(() => journal.append(batch)) };
}

/** What holds of every journal of a run that is over: one terminal event, dense numbers, nothing done twice. */
export function assertJournal(events: readonly RunEvent[], label: string): void {
  assert.equal(events.filter(isTerminalEvent).length, 1, `${label}: one terminal event`);
  assert.ok(events.at(-1) && isTerminalEvent(events.at(-1) as RunEvent), `${label}: it is the last`);
  for (const [index, event] of events.entries()) assert.equal(event.seq, index + 1, `${label}: dense`);
  const finished = new Set<string>();
  for (const event of events) {
    if (event.type !== "effect-finished") continue;
    const id = `${event.nodeKey}:${event.effectKey}`;
    assert.ok(!finished.has(id) || event.effectKey.startsWith("model"), `${label}: ${id} finished twice`);
    finished.add(id);
  }
  const started = events.filter((event) => event.type === "node-started").map((event) => event.nodeKey);
  assert.equal(new Set(started).size, started.length, `${label}: a step started twice`);
}
