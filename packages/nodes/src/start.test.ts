import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import { nodeRegistry } from "./registry.ts";
import { completionOf, createFlowProcess, runFlow } from "./testing/run-flow.ts";

function startAnd(config: object, message: string): string {
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start", type: "start", config },
      { id: "r", type: "direct-reply", config: { message } },
    ],
    edges: [{ id: "e", source: "start", target: "r" }],
  });
}

describe("start node", () => {
  it("passes the question on", async () => {
    const run = await runFlow(startAnd({}, "{{ start }} / {{ start.output.question }}"), { input: { question: "hi" } });
    assert.equal(run.text, "hi / hi");
    assert.deepEqual(run.outputOf("start"), { question: "hi" });
    assert.deepEqual(run.warnings, []);
  });

  it("passes a form on, with and without a question", async () => {
    const form = { city: "Ulm", n: 2 };
    const alone = await runFlow(startAnd({}, "[{{ start }}] {{ $form.city }}"), { input: { form } });
    assert.equal(alone.text, "[] Ulm");
    assert.deepEqual(alone.outputOf("start"), { form });
    const both = await runFlow(startAnd({}, "{{ start.form.n }}"), { input: { question: "q", form } });
    assert.equal(both.text, "2");
    assert.deepEqual(both.outputOf("start"), { question: "q", form });
  });

  it("declares the flow's state", async () => {
    const state = { count: 1, list: ["a", { b: null }], text: "{{ question }}" };
    const run = await runFlow(
      startAnd({ state }, "{{ $flow.state.count }} {{ $flow.state.list[0] }} {{ $flow.state.text }}"),
    );
    assert.equal(run.text, "1 a {{ question }}");
    assert.deepEqual(completionOf(run.events, "start")?.state, state);
  });

  it("is never the answer", async () => {
    const flow = JSON.stringify({ weft: 1, nodes: [{ id: "start", type: "start" }], edges: [] });
    const run = await runFlow(flow);
    assert.equal(run.outcome, "completed");
    assert.equal(run.text, "");
  });

  it("takes chat messages only, and no state that is no object", () => {
    for (const config of [{ input: "fax" }, { state: [] }, { state: "x" }]) {
      const { findings } = compileFlow(startAnd(config, ""), nodeRegistry);
      assert.deepEqual(
        findings.map((finding) => finding.code),
        ["node-config-invalid"],
      );
      assert.throws(() => createFlowProcess(startAnd(config, "")), /Node "start"/);
    }
  });
});
