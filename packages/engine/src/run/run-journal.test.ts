import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RunEvent } from "@weft/schema";
import { compileFlow } from "../flow/compile-flow.ts";
import { type Journal, LeaseLostError } from "../ports/journal.ts";
import { createMemoryJournal } from "../testing/memory-journal.ts";
import { completed, createTestProcess, runId, testFlow, testRegistry } from "../testing/test-process.ts";
import { createRunJournal } from "./run-journal.ts";
import { emptyRunState } from "./run-state.ts";

describe("journal of a run", () => {
  it("appends one batch after the other, dense and in order", async () => {
    const journal = createMemoryJournal();
    const { append } = journal;
    const active = { now: 0, most: 0 };
    journal.append = async (batch) => {
      active.now += 1;
      active.most = Math.max(active.most, active.now);
      for (let turn = 0; turn < 10; turn += 1) await null;
      await append(batch);
      active.now -= 1;
    };
    const ids = ["a", "b", "c", "d"];
    const writing = async (
      context: Parameters<NonNullable<Parameters<typeof createTestProcess>[0]["behaviours"]>[string]>[0],
    ) => {
      for (const key of ["one", "two"]) {
        await context.effect({ key, kind: "write", category: "http", name: key, input: null }, async () => key);
      }
      return completed(null);
    };
    const process = createTestProcess({
      flow: testFlow(ids.map((id) => `start>${id}`).join(" ")),
      behaviours: Object.fromEntries(ids.map((id) => [id, writing])),
      journal,
    });
    assert.equal(await process.start().done, "completed");
    assert.equal(active.most, 1);
    assert.deepEqual(
      process.events().map((event) => event.seq),
      process.events().map((_, index) => index + 1),
    );
    assert.deepEqual(process.committed, process.events());
  });

  it("publishes text at once where everything is durable, and otherwise in order, once it is", async () => {
    const told: string[] = [];
    const isTold = (expected: string) => assert.equal(told.join(""), expected);
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    const memory = createMemoryJournal();
    const { journal } = createBareJournal({
      ...memory,
      append: (batch) => (batch.events.some(({ seq }) => seq === 2) ? written : memory.append(batch)),
    });
    journal.record(event);
    journal.onceDurable(() => told.push("a"));
    isTold("");
    await journal.flush();
    journal.onceDurable(() => told.push("b"));
    isTold("ab");
    journal.record(event);
    journal.onceDurable(() => told.push("c"));
    journal.onceDurable(() => told.push("d"));
    write();
    await journal.flush();
    journal.onceDurable(() => told.push("e"));
    await new Promise(setImmediate);
    isTold("abcde");
  });

  it("publishes no text after an append failed", async () => {
    const told: string[] = [];
    const { journal, failures } = createBareJournal({
      ...createMemoryJournal(),
      append: () => Promise.reject(new LeaseLostError(runId)),
    });
    journal.record(event);
    journal.onceDurable(() => told.push("a"));
    await assert.rejects(journal.flush(), LeaseLostError);
    journal.onceDurable(() => told.push("b"));
    await new Promise(setImmediate);
    assert.deepEqual([told, failures.length], [[], 1]);
  });

  it("is refused where it does not continue what is there", async () => {
    const journal = createMemoryJournal();
    const epoch = journal.takeOver(runId);
    const event = (seq: number): RunEvent => ({ type: "run-suspended", seq, at: 0 });
    await journal.append({ runId, epoch, events: [event(1)] });
    for (const seq of [1, 3])
      await assert.rejects(journal.append({ runId, epoch, events: [event(seq)] }), LeaseLostError);
    await journal.append({ runId, epoch, events: [event(2)] });
    assert.equal(journal.events(runId).length, 2);
  });
});

const event = { type: "run-warned", code: "template-unknown", message: "Nothing is there." } as const;

/** The journal of a run without a scheduler. */
function createBareJournal(journal: Journal) {
  const failures: unknown[] = [];
  const clock = { now: () => 0, elapsed: () => 0, sleep: () => Promise.resolve() };
  return {
    failures,
    journal: createRunJournal({
      runId,
      epoch: 1,
      graph: compileFlow(testFlow("start>a"), testRegistry({})).graph,
      state: emptyRunState(),
      journal,
      observer: { committed: () => undefined, delta: () => undefined },
      clock,
      onFailure: (cause) => failures.push(cause),
    }),
  };
}
