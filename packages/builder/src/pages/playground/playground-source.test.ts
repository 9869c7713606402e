import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Execution } from "@weft/client";
import { readPlaygroundSearch } from "./playground-search.ts";
import { messagesOf, modelOf, withWinner } from "./playground-source.ts";

const call = {
  category: "model",
  input: {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "What is it?" }] },
      { role: "assistant", content: "", toolCalls: [{ name: "look" }] },
      { role: "tool", content: "found" },
    ],
  },
};
const run = {
  steps: [{ nodeKey: "answer#0", nodeId: "answer", effects: [{ category: "tool", input: {} }, call] }],
} as unknown as Execution;
const config = {
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "{{ question }}" },
  ],
  model: { provider: "openai", temperature: 1 },
};
const flowData = JSON.stringify({ weft: 1, nodes: [{ id: "answer", type: "llm", config }], edges: [] });

describe("the playground of a step", () => {
  it("has what its first model call was sent, without tools", () => {
    assert.deepEqual(messagesOf(run, "answer#0"), [
      { role: "system", content: "Be brief." },
      { role: "user", content: "What is it?" },
    ]);
    assert.equal(messagesOf(run, "other#0"), undefined);
    assert.deepEqual(modelOf(flowData, "answer"), { provider: "openai", temperature: 1 });
    assert.deepEqual(modelOf("{", "answer"), {});
    assert.deepEqual(readPlaygroundSearch({ execution: "e", step: 5, more: "x" }), { execution: "e" });
  });

  it("gives a winner back: the model, and instructions that stand in the step as they were sent", () => {
    const read = (text: string | undefined) => JSON.parse(text ?? "").nodes[0].config;
    const winner = { model: { provider: "anthropic" }, instructions: "Be kind.", was: "Be brief." };
    const changed = read(withWinner(flowData, "answer", winner));
    assert.deepEqual(changed.model, { provider: "anthropic", temperature: 1 });
    assert.deepEqual(changed.messages, [{ role: "system", content: "Be kind." }, config.messages[1]]);
    const rendered = read(withWinner(flowData, "answer", { ...winner, was: "Be brief on Monday." }));
    assert.deepEqual(rendered.messages, config.messages, "Text that templates made is not written back.");
    assert.equal(withWinner(flowData, "gone", winner), undefined);
  });
});
