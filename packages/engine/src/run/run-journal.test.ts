import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RunEvent } from "@weft/schema";
import { LeaseLostError } from "../ports/journal.ts";
import { createMemoryJournal } from "../testing/memory-journal.ts";
import { completed, createTestProcess, runId, testFlow } from "../testing/test-process.ts";

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
