import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RunEvent, RunInput } from "@weft/schema";
import { compileFlow } from "../flow/compile-flow.ts";
import { createMemoryJournal } from "../testing/memory-journal.ts";
import { last, order } from "../testing/read-events.ts";
import {
  type Behaviours,
  completed,
  createTestProcess,
  runId,
  testFlow,
  testRegistry,
} from "../testing/test-process.ts";
import { type ReplayRequest, type ReplayStart, replayFrom } from "./replay.ts";

type Try = {
  flow: string;
  events: readonly RunEvent[];
  behaviours: Behaviours;
  request: ReplayRequest;
  only?: boolean;
};

const graphOf = (flow: string) => compileFlow(flow, testRegistry({})).graph;

function startOf(flow: string, events: readonly RunEvent[], request: ReplayRequest): ReplayStart {
  const start = replayFrom(graphOf(flow), events, request);
  assert.ok(typeof start === "object", `The run cannot be replayed: ${start}`);
  return start;
}

async function first(flow: string, behaviours: Behaviours = {}) {
  const process = createTestProcess({ flow, behaviours });
  await process.start().done;
  return process.events();
}

/** Events of a replay, those that it repeats included. */
async function replay({ flow, events, behaviours, request, only = false }: Try): Promise<RunEvent[]> {
  const { nodeKey, events: kept } = startOf(flow, events, request);
  const [started, ...rest] = kept;
  assert.ok(started?.type === "run-started");
  const input: RunInput = { ...started.input, ...(only && { onlyStep: nodeKey }) };
  const journal = createMemoryJournal();
  const begun = [{ ...started, input, repeats: rest.length }, ...rest];
  await journal.append({ runId, epoch: journal.takeOver(runId), events: begun });
  const process = createTestProcess({ flow, behaviours, journal });
  await process.recover().done;
  assert.deepEqual(process.bugs, []);
  return process.events();
}

const executed = (events: readonly RunEvent[], from: number) => order(events.slice(from));
const forbidden = () => {
  throw new Error("It was executed.");
};
const answerOf = (events: readonly RunEvent[]) => {
  const end = last(events);
  return end?.type === "run-completed" ? end.text : end?.type;
};

describe("replayFrom", () => {
  const line = testFlow("start>a a>b b>c", { b: { text: "{{ a }}" }, c: { text: "{{ b }}" } });
  const speak: Behaviours = {
    a: () => completed("one"),
    b: (context) => completed(context.renderText("b of {{ a.output }}")),
    c: (context) => completed(context.renderText("c after {{ b.output }}")),
  };

  it("goes on at a step with what came before it", async () => {
    const events = await first(line, speak);
    const again = await replay({
      flow: line,
      events,
      behaviours: { ...speak, a: forbidden },
      request: { point: { nodeKey: "b#0" } },
    });
    assert.equal(answerOf(again), "c after b of one");
    assert.equal(order(again), "start a b c");
  });

  it("takes what steps before gave from the request", async () => {
    const events = await first(line, speak);
    const outputs = { a: { output: "two" }, c: { output: "came later" } };
    const again = await replay({
      flow: line,
      events,
      behaviours: { ...speak, a: forbidden },
      request: { point: { nodeId: "b" }, outputs },
    });
    assert.equal(answerOf(again), "c after b of two");
    const a = again.find((event) => event.type === "node-completed" && event.nodeId === "a");
    assert.equal(a?.type === "node-completed" && a.pinned, true);
  });

  it("makes one step alone where no more is wanted", async () => {
    const events = await first(line, speak);
    const again = await replay({
      flow: line,
      events,
      behaviours: { ...speak, a: forbidden, c: forbidden },
      request: { point: { nodeId: "b" } },
      only: true,
    });
    assert.equal(order(again), "start a b");
    assert.equal(last(again)?.type, "run-completed");
  });

  it("goes on at a step that is new in this version of the flow", async () => {
    const events = await first(line, speak);
    const edited = testFlow("start>a a>n n>b b>c");
    const start = startOf(edited, events, { point: { nodeId: "n" } });
    assert.deepEqual([start.nodeKey, start.isReady], ["n#0", true]);
    const again = await replay({
      flow: edited,
      events,
      behaviours: { a: forbidden },
      request: { point: { nodeId: "n" } },
    });
    assert.equal(order(again), "start a n b c");
    // A step with something new before it has to wait for that.
    assert.equal(startOf(edited, events, { point: { nodeKey: "b#0" } }).isReady, false);
  });

  it("says when the step was not reached, and when the flow before it is another", async () => {
    const events = await first(testFlow("start>a a:left>b a>c"));
    assert.equal(
      replayFrom(graphOf(testFlow("start>a a:left>b a>c")), events, { point: { nodeId: "b" } }),
      "unreached",
    );
    assert.equal(replayFrom(graphOf(line), events, { point: { nodeKey: "b#7" } }), "unreached");
    assert.equal(replayFrom(graphOf(testFlow("start>x x>c")), events, { point: { nodeId: "c" } }), "changed");
  });

  it("begins anew what ran beside the step and had not finished", async () => {
    const flow = testFlow("start>a start>b a>c");
    const gate = Promise.withResolvers<null>();
    const events = await first(flow, {
      b: async (context) => {
        await context.effect(
          { key: "e", kind: "write", category: "http", name: "send", input: null },
          () => gate.promise,
        );
        return completed("b");
      },
      c: () => {
        gate.resolve(null);
        return completed("c");
      },
    });
    assert.ok(
      events.findIndex((event) => event.type === "effect-started") <
        events.findIndex((event) => event.type === "node-started" && event.nodeId === "c"),
    );
    const made: string[] = [];
    const again = await replay({
      flow,
      events,
      behaviours: { a: forbidden, b: () => completed(made.push("b")), c: () => completed(made.push("c")) },
      request: { point: { nodeId: "c" } },
    });
    assert.deepEqual([made.sort(), last(again)?.type], [["b", "c"], "run-completed"]);
  });

  it("goes on in one item of a sub-flow, and in the pass of a loop", async () => {
    const flow = testFlow("start>each each>end x@each y@each x@each>y@each");
    const each = {
      each: (context) => (context.spawned ? completed("done") : { type: "spawn", items: [1, 2], concurrency: 1 }),
    } satisfies Behaviours;
    const events = await first(flow, each);
    const again = await replay({
      flow,
      events,
      behaviours: { ...each, x: forbidden },
      request: { point: { nodeKey: "each#0[1]/y#0" } },
    });
    const cut = events.findIndex((event) => event.type === "node-started" && event.nodeKey === "each#0[1]/y#0");
    assert.equal(executed(again, cut), "y end");

    let jumps = 0;
    const loop = testFlow("start>a a>b b>c");
    const back: Behaviours = { b: () => (jumps++ < 2 ? { type: "jump", to: "a", output: jumps } : completed("out")) };
    const looped = await first(loop, back);
    assert.equal(order(looped), "start a b a b a b c");
    const from = await replay({
      flow: loop,
      events: looped,
      behaviours: { b: () => completed("at once") },
      request: { point: { nodeKey: "a#1" } },
    });
    assert.equal(order(from), "start a b a b c");
  });

  it("repeats the answers of people, but not their messages, and asks again what was open", async () => {
    const flow = testFlow("start>a a>b");
    const ask: Behaviours = {
      a: ({ answers }) =>
        answers.has("q")
          ? completed(answers.get("q") ?? null)
          : { type: "suspend", key: "q", text: "Well?", details: { kind: "human-input" } },
    };
    const process = createTestProcess({ flow, behaviours: ask });
    await process.start().done;
    const wait = process.events().find((event) => event.type === "node-suspended");
    assert.ok(wait?.type === "node-suspended");
    const turn = { userMessageId: "u", apiMessageId: "m", content: "yes" };
    const { nodeKey, nodeId } = wait;
    await process.recover({ resume: { nodeKey, nodeId, waitId: wait.wait.waitId, answer: "yes", turn } }).done;
    const { events } = startOf(flow, process.events(), { point: { nodeId: "b" } });
    const resumed = events.find((event) => event.type === "node-resumed");
    assert.deepEqual(resumed?.type === "node-resumed" && [resumed.answer, resumed.turn], ["yes", undefined]);
    assert.ok(!events.some((event) => event.type === "run-suspended"));
    const fromAsked = await replay({
      flow,
      events: process.events(),
      behaviours: ask,
      request: { point: { nodeId: "a" } },
    });
    assert.equal(last(fromAsked)?.type, "run-suspended");
  });
});
