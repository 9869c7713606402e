import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json } from "@weft/schema";
import { nameSetting, writeValue } from "./name-settings.ts";

const text = { type: "string" };
const message = {
  type: "object",
  properties: {
    role: { type: "string", title: "Role", enum: ["system", "user"], labels: { system: "System", user: "User" } },
    content: { ...text, title: "Text" },
  },
};
const tool = {
  type: "object",
  properties: { type: text, config: { type: "object" }, requiresApproval: { type: "boolean", title: "Ask first" } },
};
const memory = [
  { title: "All", properties: { type: { const: "all" } } },
  { title: "Last", properties: { type: { const: "last" }, turns: { type: "integer", title: "Turns kept" } } },
];
const type = {
  config: {
    type: "object",
    properties: {
      messages: { type: "array", title: "Instructions", widget: "messages", item: "message", items: message },
      model: {
        type: "object",
        title: "Model",
        properties: { model: { ...text, title: "Model" }, maxTokens: { type: "integer" } },
      },
      tools: { type: "array", title: "Tools", widget: "tools", item: "tool", items: tool },
      memory: { title: "Memory", oneOf: memory },
    },
  },
};
const tools = [
  { type: "search", title: "Web search", config: { type: "object", properties: { limit: { title: "Results" } } } },
];
const config: Json = {
  messages: [
    { role: "system", content: "Be kind" },
    { role: "user", content: "Hi" },
  ],
  model: { model: "m", maxTokens: 5 },
  tools: [
    { type: "search", config: { limit: 3 } },
    { type: "gone", config: { name: "old_tool", key: 1 } },
  ],
  memory: { type: "last", turns: 4 },
};

describe("the name of a setting", () => {
  for (const [path, expected] of [
    ["messages.0.content", "Instructions"],
    ["messages.1.content", "Instructions|Message 2|Text"],
    ["model.model", "Model"],
    ["model.maxTokens", "Model|Max tokens"],
    ["tools.0.config.limit", "Tools|Web search|Results"],
    ["tools.0.requiresApproval", "Tools|Web search|Ask first"],
    ["tools.1.config.key", "Tools|old_tool|Config|Key"],
    ["memory.turns", "Memory|Turns kept"],
    ["memory.type", "Memory"],
    ["unknown.someThing", "Unknown|Some thing"],
  ] as const) {
    it(`${path} is called ${expected}`, () => {
      const { titles } = nameSetting(type, { path: path.split("."), config, tools });
      assert.equal(titles.join("|"), expected);
    });
  }

  it("is made of its path where the type of the step is unknown", () => {
    const { titles, field } = nameSetting(undefined, { path: ["headers", "0", "name"], config: {}, tools });
    assert.deepEqual([titles, field], [["Headers", "0", "Name"], undefined]);
  });
});

describe("a value of a setting", () => {
  const written = (path: string, value: Json) =>
    writeValue(value, nameSetting(type, { path: path.split("."), config, tools }).field, tools);

  it("has a line for each setting of what has several, and words for switches and choices", () => {
    assert.equal(written("messages.1", { role: "user", content: "Hi" }), "Role: User\nText: Hi");
    assert.equal(
      written("tools.0", { type: "search", config: { limit: 3, on: true, none: null, sites: ["a", "b"] } }),
      "Web search\nResults: 3\nOn: On\nNone: Nothing\nSites:\n  – a\n  – b",
    );
    assert.equal(written("memory.type", "last"), "Last");
    assert.equal(written("memory", { type: "last", turns: 4 }), "Last\nTurns kept: 4");
    assert.equal(
      written("messages", config.messages ?? null),
      "– Role: System\n  Text: Be kind\n– Role: User\n  Text: Hi",
    );
  });

  it("is shown as it is where it is a text, is said to be empty where it is, and is cut where it is long", () => {
    assert.equal(written("model.model", "m\n two"), "m\n two");
    assert.equal(written("model.model", ""), "(empty)");
    assert.equal(written("model.model", "x".repeat(9_000)).length, 2_000);
  });
});
