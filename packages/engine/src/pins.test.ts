import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Pins, RunEvent } from "@weft/schema";
import { createMemoryJournal } from "./testing/memory-journal.ts";
import { last, order } from "./testing/read-events.ts";
import { type Behaviours, completed, createTestProcess, runId, testFlow } from "./testing/test-process.ts";

const answerOf = (events: readonly RunEvent[]) => {
  const end = last(events);
  return end?.type === "run-completed" ? end.text : end?.type;
};

const open = (edges: string, pins: Pins, behaviours: Behaviours = {}) =>
  createTestProcess({ flow: testFlow(edges), behaviours, input: { question: "hello", pins } });

const forbidden = () => {
  throw new Error("It was executed.");
};

describe("pinned nodes", () => {
  it("are not executed: their output is used, and the journal says so", async () => {
    const process = open(
      "start>a a>b",
      { a: { output: { city: "Rome" } } },
      { a: forbidden, b: (context) => completed(context.renderText("in {{ a.output.city }}")) },
    );
    assert.equal(await process.start().done, "completed");
    assert.equal(answerOf(process.events()), "in Rome");
    const done = process.events().filter((event) => event.type === "node-completed");
    assert.deepEqual(
      done.map(({ nodeId, pinned }) => [nodeId, pinned]),
      [
        ["start", undefined],
        ["a", true],
        ["b", undefined],
      ],
    );
  });

  it("take the branches that are pinned, and put their state into the flow's", async () => {
    const process = open(
      "start>c c:left>a c:right>b",
      { c: { output: "chose", ports: ["right"], state: { seen: 7 } } },
      { c: forbidden, b: (context) => completed(context.renderText("{{ $flow.state.seen }}")) },
    );
    await process.start().done;
    assert.equal(order(process.events()), "start c b");
    assert.equal(answerOf(process.events()), "7");
  });

  it("answer with their text when they are the last, and are heard by later nodes", async () => {
    const heard: unknown[] = [];
    const process = open(
      "start>a a>b",
      { a: { output: { content: "Hi" }, text: "Hi" }, b: { output: null, text: "pinned answer" } },
      { a: forbidden, b: forbidden },
    );
    await process.start().done;
    assert.equal(answerOf(process.events()), "pinned answer");
    for (const event of process.events()) if (event.type === "node-completed") heard.push(...(event.messages ?? []));
    assert.deepEqual(heard[0], { role: "apiMessage", content: "Hi" });
  });

  it("stay pinned in a process that takes the run over", async () => {
    const flow = testFlow("start>a a>b b>c", { c: { text: "{{ a }}" } });
    const input = { question: "hello", pins: { a: { output: "kept" }, c: { output: "end" } } };
    const behaviours = { a: forbidden, b: () => completed("went on"), c: forbidden };
    const first = createTestProcess({ flow, input, behaviours });
    await first.start().done;
    const journal = createMemoryJournal();
    const events = first.events().slice(0, 3);
    await journal.append({ runId, epoch: journal.takeOver(runId), events });
    const second = createTestProcess({ flow, input, behaviours, journal });
    assert.equal(await second.recover().done, "completed");
    assert.equal(order(second.events()), "start a b c");
    assert.equal(answerOf(second.events()), "end");
  });
});
