import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WeftError } from "@weft/schema";
import { last, order } from "./testing/read-events.ts";
import { completed, createTestProcess, testFlow, valuesOf } from "./testing/test-process.ts";

describe("loops and items in the scheduler", () => {
  it("begins a new pass at a jump's target and keeps deliveries from outside of the loop", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a start>side side>join a>join join>c"),
      behaviours: {
        c: (context) =>
          Number(context.render("{{ loop_count }}")) < 2
            ? { type: "jump", to: "a", output: null }
            : completed(`after ${context.renderText("{{ loop_count }}")}`),
      },
    });
    await process.start().done;
    assert.equal(order(process.events()), "start a side join c a join c a join c");
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "after 2");
  });

  it("runs a sub-flow for every item and gives the results back in order", async () => {
    const active = { now: 0, most: 0 };
    const process = createTestProcess({
      flow: testFlow("start>each each>z x@each>y@each"),
      behaviours: {
        each: (context) =>
          context.spawned
            ? completed(valuesOf(context.spawned))
            : { type: "spawn", items: [1, 2, 3, 4, 5], concurrency: 2 },
        x: async (context) => {
          active.now += 1;
          active.most = Math.max(active.most, active.now);
          for (let turn = 0; turn < 20; turn += 1) await null;
          active.now -= 1;
          return completed(Number(context.render("{{ $iteration }}")) * 10);
        },
        y: (context) => completed(Number(context.render("{{ x }}")) + 1),
        z: (context) => completed(context.render("{{ each }}")),
      },
    });
    assert.equal(await process.start().done, "completed");
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "[11,21,31,41,51]");
    assert.equal(active.most, 2);
  });

  it("fails the spawning node when an item fails", async () => {
    const process = createTestProcess({
      flow: testFlow("start>each each:error>caught x@each"),
      behaviours: {
        each: (context) => (context.spawned ? completed(0) : { type: "spawn", items: [1, 2], concurrency: 1 }),
        x: () => {
          throw new WeftError("flow-node-failed", { params: { reason: "item broke" } });
        },
        caught: (context) => completed(context.render("{{ each.output.error.message }}")),
      },
    });
    assert.equal(await process.start().done, "completed");
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "item broke");
  });

  it("waits in every pass of a loop for what the pass itself delivers", async () => {
    const process = createTestProcess({
      flow: testFlow("start>a a>join start>join join>c"),
      behaviours: {
        a: async (context) => {
          for (let turn = 0; turn < 20; turn += 1) await null;
          return completed(`pass ${context.renderText("{{ loop_count }}")}`);
        },
        join: (context) => completed(context.renderText("{{ a }}")),
        c: (context) =>
          Number(context.render("{{ loop_count }}")) < 2
            ? { type: "jump", to: "a", output: null }
            : completed(context.renderText("{{ join }}")),
      },
    });
    await process.start().done;
    const end = last(process.events());
    assert.equal(end?.type === "run-completed" && end.text, "pass 2");
    assert.equal(order(process.events()), "start a join c a join c a join c");
  });

  it("runs the target of a jump even where its own branch was not taken", async () => {
    const process = createTestProcess({
      flow: testFlow("start>c c:left>a c:right>b b>d"),
      behaviours: {
        c: () => ({ type: "branch", ports: ["left"], output: null }),
        a: () => ({ type: "jump", to: "b", output: null }),
      },
    });
    assert.equal(await process.start().done, "completed");
    assert.equal(order(process.events()), "start c a b d");
  });

  it("drops what a node of an earlier pass still gives back", async () => {
    const first = Promise.withResolvers<void>();
    let passes = 0;
    const process = createTestProcess({
      flow: testFlow("start>a a>slow a>c"),
      behaviours: {
        slow: async (context) => {
          if (context.nodeKey === "slow#0") await first.promise;
          return completed(context.nodeKey);
        },
        c: async () => {
          passes += 1;
          if (passes === 1) return { type: "jump", to: "a", output: null };
          first.resolve();
          for (let turn = 0; turn < 20; turn += 1) await null;
          return completed("c");
        },
      },
    });
    assert.equal(await process.start().done, "completed");
    assert.deepEqual(process.bugs, []);
    const slow = process.events().flatMap((event) => (event.type === "node-completed" ? [event.nodeKey] : []));
    assert.deepEqual(
      slow.filter((key) => key.startsWith("slow")),
      ["slow#1"],
    );
  });
});
