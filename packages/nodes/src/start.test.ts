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

  it("begins with the state that the session's last run left, where it keeps it", async () => {
    const config = { state: { count: 0, name: "Ada" }, persistState: true };
    const flow = startAnd(config, "{{ $flow.state.count }} {{ $flow.state.name }} {{ $flow.state.extra }}");
    const asked: object[] = [];
    const lastState = async (session: object) => {
      asked.push(session);
      return { count: 2, extra: [1] };
    };
    const kept = await runFlow(flow, { memory: { lastState } });
    assert.equal(kept.text, "2 Ada [1]");
    assert.deepEqual(completionOf(kept.events, "start")?.state, { count: 2, name: "Ada", extra: [1] });
    assert.deepEqual(asked, [{ agentId: "agent-1", owner: "", sessionId: "session-1", beforeRun: "run-1" }]);
    assert.equal((await runFlow(flow)).text, "0 Ada ");
    const fresh = startAnd({ state: config.state }, "{{ $flow.state.count }}");
    assert.equal((await runFlow(fresh, { memory: { lastState } })).text, "0");
    assert.equal(asked.length, 1);
  });

  it("forgets the session where it is told to, but not what the caller gives", async () => {
    const stored = [{ role: "userMessage", content: "before" } as const];
    const flow = startAnd({ ephemeralMemory: true }, "[{{ chat_history }}]");
    assert.equal((await runFlow(flow, { stored })).text, "[]");
    const given = { question: "q", history: [{ role: "apiMessage", content: "given" } as const] };
    assert.equal((await runFlow(flow, { stored, input: given })).text, "[Assistant: given]");
    assert.equal((await runFlow(startAnd({}, "[{{ chat_history }}]"), { stored })).text, "[Human: before]");
  });

  it("is never the answer", async () => {
    const flow = JSON.stringify({ weft: 1, nodes: [{ id: "start", type: "start" }], edges: [] });
    const run = await runFlow(flow);
    assert.equal(run.outcome, "completed");
    assert.equal(run.text, "");
  });

  it("takes messages and forms only, and no state that is no object", () => {
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
