import assert from "node:assert/strict";
import { test } from "node:test";
import { modelOf, stepTypesOf } from "./flow-facts.ts";

const flowOf = (...nodes: object[]) => JSON.stringify({ weft: 1, nodes });
const types = [
  { type: "agent", config: { properties: { model: { type: "object" } } } },
  { type: "form", config: { properties: { model: { showWhen: { field: "writtenBy", is: ["model"] } } } } },
  { type: "reply", config: { properties: {} } },
];
const byDefault = { provider: "anthropic", model: "claude" };
const used = (flowData: string) => modelOf(flowData, types, byDefault);

test("the steps of a flow are those of our own format", () => {
  assert.deepEqual(stepTypesOf(flowOf({ type: "start" }, { type: "agent" })), ["start", "agent"]);
  assert.deepEqual(stepTypesOf(JSON.stringify({ nodes: [{ type: "agent" }] })), []);
  assert.deepEqual(stepTypesOf("{"), []);
});

test("an agent's model is the first that its flow names", () => {
  const named = { type: "agent", config: { model: { provider: "openai", model: "gpt-4o" } } };
  const other = { type: "agent", config: { model: { provider: "groq" } } };
  const unnamed = { type: "agent", config: { model: { provider: "", temperature: 0 } } };
  assert.deepEqual(used(flowOf(unnamed, named, other)), { provider: "openai", model: "gpt-4o", isDefault: false });
  assert.deepEqual(used(flowOf(other, named)), { provider: "groq", model: "", isDefault: false });
  const ofDefault = { type: "agent", config: { model: { model: "claude-next" } } };
  assert.deepEqual(used(flowOf(ofDefault)), { provider: "anthropic", model: "claude-next", isDefault: false });
  assert.equal(used(flowOf({ type: "form", config: { model: { provider: "xai", model: "grok" } } }))?.provider, "xai");
});

test("it is the default model where a step asks one and none is named", () => {
  assert.deepEqual(used(flowOf({ type: "start" }, { type: "agent" })), { ...byDefault, isDefault: true });
  assert.equal(used(flowOf({ type: "reply", config: {} }, { type: "form", config: {} })), undefined);
  assert.equal(used(JSON.stringify({ nodes: [{ type: "agent" }] })), undefined);
});
