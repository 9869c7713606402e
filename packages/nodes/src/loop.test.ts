import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import { nodeRegistry } from "./registry.ts";
import { type FlowOfNode, flowOf, say, stepsOf } from "./testing/flow-of.ts";
import { completionOf, runFlow } from "./testing/run-flow.ts";

const loop = (target: string, config: object = {}, within?: string): FlowOfNode => ({
  type: "loop",
  config: { target, ...config },
  ...(within === undefined ? {} : { within }),
});

/** Goes on at `yes` where a reference reads as a text. */
const when = (left: string, right: string, within?: string): FlowOfNode => ({
  type: "condition",
  config: { branches: [{ id: "yes", conditions: [{ type: "string", left, right }] }] },
  ...(within === undefined ? {} : { within }),
});

function findingsOf(nodes: Record<string, FlowOfNode>, edges: string) {
  return compileFlow(flowOf(nodes, edges), nodeRegistry).findings.map(({ level, code, path }) => [level, code, path]);
}

describe("loop", () => {
  it("goes back as often as it may, and then on", async () => {
    const nodes = { a: say("{{ loop_count }}"), l: loop("a", { times: 2 }), end: say("{{ a }}: {{ l }}") };
    const run = await runFlow(flowOf(nodes, "start>a a>l l>end"));
    assert.equal(stepsOf(run.events), "start a l a l a l end");
    assert.equal(run.text, "2: The loop ended: it may go back 2 times.");
    const outputs = run.events.flatMap((event) =>
      event.type === "node-completed" && event.nodeId === "l" ? [event.output] : [],
    );
    assert.deepEqual(outputs, [
      { target: "a", count: 1 },
      { target: "a", count: 2 },
      { content: "The loop ended: it may go back 2 times.", count: 2 },
    ]);
  });

  it("goes back five times where nothing else is said, and never where it may not", async () => {
    const steps = async (config: object) => {
      const run = await runFlow(flowOf({ a: say("a"), l: loop("a", config) }, "start>a a>l"));
      return stepsOf(run.events).match(/\ba\b/g)?.length;
    };
    assert.equal(await steps({}), 6);
    assert.equal(await steps({ times: 1 }), 2);
    assert.equal(await steps({ times: 0 }), 1);
  });

  it("answers with its own message when it ends the run", async () => {
    const nodes = { a: when("a", "b"), l: loop("a", { times: 1, fallback: "Gave up after {{ loop_count }}." }) };
    const run = await runFlow(flowOf(nodes, "start>a a:else>l"));
    assert.equal(run.text, "Gave up after 1.");
  });

  it("stops going back when a condition leads elsewhere", async () => {
    const nodes = {
      a: say("{{ $flow.state.tries }}", { tries: "{{ loop_count }}" }),
      c: when("{{ $flow.state.tries }}", "2"),
      l: loop("a", { times: 9 }),
      end: say("done at {{ $flow.state.tries }}"),
    };
    const run = await runFlow(flowOf(nodes, "start>a a>c c:yes>end c:else>l"));
    assert.equal(run.text, "done at 2");
    assert.equal(stepsOf(run.events), "start a c l a c l a c end");
  });

  it("keeps what comes from outside of the loop delivered, and waits for what the pass brings", async () => {
    const nodes = {
      side: say("side"),
      a: say("a"),
      b: say("b"),
      b2: say("{{ b }}{{ loop_count }}"),
      join: say("{{ side }} {{ b2 }}"),
      l: loop("a", { times: 1 }),
      end: say("{{ join }}"),
    };
    const edges = "start>a start>side side>join a>b b>b2 a>join b2>join join>l l>end";
    const run = await runFlow(flowOf(nodes, edges));
    assert.equal(stepsOf(run.events), "start side a b b2 join l a b b2 join l end");
    assert.equal(run.text, "side b1");
  });

  it("counts an inner loop anew in every pass of the outer one", async () => {
    const nodes = {
      a: say("a"),
      b: say("b{{ loop_count }}"),
      inner: loop("b", { times: 2 }),
      outer: loop("a", { times: 1 }),
      end: say("end"),
    };
    const run = await runFlow(flowOf(nodes, "start>a a>b b>inner inner>outer outer>end"));
    assert.equal(stepsOf(run.events), "start a b inner b inner b inner outer a b inner b inner b inner outer end");
    const said = run.events.flatMap((event) =>
      event.type === "node-completed" && event.nodeId === "b" ? [event.text] : [],
    );
    assert.deepEqual(said, ["b0", "b1", "b2", "b1", "b1", "b2"]);
  });

  it("ends two loops that lie across each other", async () => {
    const nodes = {
      x: say("x"),
      y: say("y"),
      both: say("both"),
      first: loop("x", { times: 2 }),
      second: loop("y", { times: 2 }),
      end: say("end"),
    };
    const run = await runFlow(flowOf(nodes, "start>x x>y y>both both>first first>second second>end"));
    assert.equal(run.outcome, "completed");
    assert.equal(stepsOf(run.events).match(/\bx\b/g)?.length, 3);
    assert.equal(completionOf(run.events, "end")?.text, "end");
  });

  it("loops inside the items of an iteration, each with its own count", async () => {
    const nodes = {
      each: { type: "iteration", config: { items: '["p", "q"]', concurrency: 2 } },
      a: say("{{ $iteration }}{{ loop_count }}", {}, "each"),
      l: loop("a", { times: 2 }, "each"),
      last: say("{{ a }}", {}, "each"),
      end: say("{{ each }} {{ loop_count }}"),
    };
    const run = await runFlow(flowOf(nodes, "start>each each>end a>l l>last"));
    assert.equal(run.text, "p2\nq2 0");
    const keys = run.events.flatMap((event) => (event.type === "node-started" ? [event.nodeKey] : []));
    assert.deepEqual(
      keys.filter((key) => key.includes("[1]/a")),
      ["each#0[1]/a#0", "each#0[1]/a#1", "each#0[1]/a#2"],
    );
  });

  it("begins an iteration anew in every pass", async () => {
    const nodes = {
      a: say("{{ loop_count }}"),
      each: { type: "iteration", config: { items: "[1, 2]" } },
      x: say("{{ $iteration }} of {{ loop_count }}", {}, "each"),
      l: loop("a", { times: 1 }),
      end: say("{{ each }}, {{ x }}"),
    };
    const run = await runFlow(flowOf(nodes, "start>a a>each each>l l>end"));
    assert.equal(run.text, "1 of 1\n2 of 1, 2 of 1");
  });

  it("finds a target that is missing, elsewhere or not before it", () => {
    const edges = "start>a a>l";
    const target = (id: string) => findingsOf({ a: say("a"), b: say("b"), l: loop(id) }, `${edges} a>b`);
    assert.deepEqual(target("a"), []);
    assert.deepEqual(target("start"), []);
    assert.deepEqual(target(""), [["error", "loop-target-missing", "target"]]);
    assert.deepEqual(target("gone"), [["error", "loop-target-unknown", "target"]]);
    assert.deepEqual(target("b"), [["error", "loop-target-not-before", "target"]]);
    assert.deepEqual(target("l"), [["error", "loop-target-not-before", "target"]]);
    const each = { type: "iteration", config: { items: "[1]" } };
    const across = { a: say("a"), each, x: say("x", {}, "each"), l: loop("a", {}, "each") };
    assert.deepEqual(findingsOf(across, "start>a a>each x>l"), [["error", "loop-target-unknown", "target"]]);
  });

  it("has no retries, and goes back a whole number of times", () => {
    for (const config of [{ times: -1 }, { times: 1.5 }, { times: 1_001 }, { onFailure: { retries: 1 } }]) {
      assert.deepEqual(
        findingsOf({ a: say("a"), l: loop("a", config) }, "start>a a>l").map(([, code]) => code),
        ["node-config-invalid"],
      );
    }
  });
});
