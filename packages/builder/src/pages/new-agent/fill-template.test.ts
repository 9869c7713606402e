import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Template } from "@weft/client";
import { fillTemplate } from "./fill-template.ts";

const search = { type: "document-store", config: { storeId: "manuals" } };
const nodes = [
  { id: "start", type: "start", config: {} },
  { id: "ask", type: "llm", config: { prompt: "Is manuals a word?", model: { temperature: 0 } } },
  { id: "act", type: "agent", parent: "each", config: { tools: [search, { credential: "key" }] } },
  { id: "call", type: "http", config: { url: "{{ $vars.orderApi }}/orders", body: "{{ $vars.mailApi }}" } },
];
const needs: Template["needs"] = [
  { kind: "model", name: "model", title: "Model" },
  { kind: "service", name: "orderApi", title: "Orders" },
  { kind: "service", name: "mailApi", title: "Mail" },
  { kind: "document-store", name: "manuals", title: "Manuals" },
  { kind: "credential", name: "key", title: "Key" },
];
const template = { flowData: JSON.stringify({ weft: 1, nodes, edges: [] }), needs };

function fill(given: Parameters<typeof fillTemplate>[1]): Record<string, Record<string, unknown>> {
  const flow = JSON.parse(fillTemplate(template, given)) as {
    nodes: { id: string; config: Record<string, unknown> }[];
  };
  return Object.fromEntries(flow.nodes.map(({ id, config }) => [id, config]));
}

describe("filling a template", () => {
  it("leaves a flow as it is for which nothing was chosen", () => {
    assert.equal(fillTemplate(template, {}), template.flowData);
    assert.equal(fillTemplate(template, { orderApi: "  ", manuals: "" }), template.flowData);
  });

  it("puts an address where its variable stands, and leaves the other variables", () => {
    const { call } = fill({ orderApi: " https://orders.example.com/ " });
    assert.deepEqual(call, { url: "https://orders.example.com/orders", body: "{{ $vars.mailApi }}" });
  });

  it("takes an address literally, whatever is typed", () => {
    assert.equal(fill({ orderApi: 'https://x.example/"$&\\' }).call?.url, 'https://x.example/"$&\\/orders');
  });

  it("gives every step with a model the one that was picked, and keeps their other settings", () => {
    const { ask, act, start } = fill({ model: { provider: "openai", model: "m-1" } });
    assert.deepEqual(ask?.model, { temperature: 0, provider: "openai", model: "m-1" });
    assert.deepEqual(act?.model, { provider: "openai", model: "m-1" });
    assert.deepEqual(start, {});
  });

  it("sets ids where they are named, however deep, and nowhere else", () => {
    const { ask, act } = fill({ manuals: "store-1", key: "credential-1" });
    assert.deepEqual(act?.tools, [{ ...search, config: { storeId: "store-1" } }, { credential: "credential-1" }]);
    assert.equal(ask?.prompt, "Is manuals a word?");
  });
});
