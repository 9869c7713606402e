import assert from "node:assert/strict";
import { test } from "node:test";
import { fromOverrideSettings, overridableNodes, toOverrideSettings } from "./override-settings.ts";

const llm = [
  { label: "Messages", name: "llmMessages", type: "array", enabled: true },
  { label: "Memory", name: "llmEnableMemory", type: "boolean", enabled: false },
];
const api = {
  rateLimit: { limitMax: 5 },
  overrideConfig: {
    status: true,
    nodes: { LLM: llm },
    variables: [{ id: "1", name: "tone", enabled: true }],
    other: 1,
  },
};

test("overrides that are not touched are stored as they were", () => {
  for (const stored of [api, {}, { overrideConfig: { status: true } }, { overrideConfig: "odd" }]) {
    assert.equal(fromOverrideSettings(stored, toOverrideSettings(stored)), stored);
  }
});

test("names that are enabled or not keep what other clients store with them", () => {
  const settings = toOverrideSettings(api);
  assert.deepEqual(settings, { isOn: true, variables: ["tone"], nodes: { LLM: ["llmMessages"] }, history: false });
  const changed = fromOverrideSettings(api, {
    ...settings,
    history: true,
    variables: [],
    nodes: { LLM: ["llmEnableMemory", "temperature"] },
  });
  assert.deepEqual(changed, {
    rateLimit: { limitMax: 5 },
    overrideConfig: {
      status: true,
      nodes: {
        LLM: [
          { ...llm[0], enabled: false },
          { ...llm[1], enabled: true },
          { label: "temperature", name: "temperature", type: "string", enabled: true },
        ],
      },
      variables: [{ id: "1", name: "tone", enabled: false }],
      other: 1,
      history: true,
    },
  });
  const first = fromOverrideSettings({}, { isOn: true, variables: ["tone"], nodes: {}, history: false });
  assert.deepEqual(toOverrideSettings(first).variables, ["tone"]);
});

test("the settings of a flow's nodes are offered, never those that name an address, a secret or a tool", () => {
  const none = toOverrideSettings({});
  const native = {
    nodes: [
      { type: "llm", label: "Write", config: { prompt: "Hi", model: {} } },
      { type: "http", label: "Call", config: { url: "https://x", credential: "c", body: [] } },
      { type: "agent", label: "Work", config: { tools: [] } },
    ],
  };
  assert.deepEqual(overridableNodes(JSON.stringify(native), none), [
    { label: "Write", names: ["temperature", "maxTokens", "topP", "prompt", "model"] },
    { label: "Call", names: ["body"] },
    { label: "Work", names: ["temperature", "maxTokens", "topP"] },
  ]);
  const foreign = { nodes: [{ data: { name: "llmAgentflow", label: "LLM", inputs: { llmMessages: [] } } }] };
  assert.deepEqual(overridableNodes(JSON.stringify(foreign), none)[0]?.names.at(-1), "llmMessages");
  assert.deepEqual(overridableNodes("{", none), []);
});
