import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentCall } from "@weft/engine/ports/child-runs";
import { callTool, startBench } from "./testing/bench.ts";

const config = { agentId: "agent-2", name: "Ask the librarian!", description: "Knows books." };

test("asks the agent the model's question and answers with its words", async (t) => {
  const bench = await startBench(t);
  const [tool] = await bench.build("agent", config);
  assert.ok(tool);
  assert.deepEqual([tool.name, tool.description, tool.kind], ["Ask_the_librarian", "Knows books.", "idempotent"]);
  const asked: AgentCall[] = [];
  const context = bench.context({
    callAgent: async (call) => {
      asked.push(call);
      return { text: "Emma", runId: "run-2" };
    },
  });
  const result = await callTool(tool, { question: "Which book?" }, context);
  assert.deepEqual(result, { content: "Emma", details: { executionId: "run-2" } });
  assert.deepEqual(asked, [{ agentId: "agent-2", question: "Which book?", overrideConfig: {} }]);
});

test("may give its answer as the whole answer", async (t) => {
  const bench = await startBench(t);
  const [tool] = await bench.build("agent", { agentId: "agent-2", returnDirect: true });
  assert.ok(tool);
  assert.equal(tool.name, "ask_agent");
  const context = bench.context({ callAgent: async () => ({ text: "Emma", runId: "run-2" }) });
  assert.equal((await callTool(tool, { question: "?" }, context)).returnDirect, true);
  assert.match((await callTool(tool, {}, context)).content, /question/);
});

test("needs an agent, and a run that asks", async (t) => {
  const bench = await startBench(t);
  await assert.rejects(bench.build("agent", { agentId: "" }), /Choose an agent/);
  const [tool] = await bench.build("agent", config);
  assert.ok(tool);
  await assert.rejects(callTool(tool, { question: "?" }, bench.context()), /only be called within a run/);
});
