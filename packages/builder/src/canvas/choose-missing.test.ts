import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NodeType } from "@weft/client";
import type { Finding, FlowDocument, Json, JsonObject } from "@weft/schema";
import { findChoices, keyOf, remainingFindings, valueIn, withChoices } from "./choose-missing.ts";
import { testNode } from "./model/testing/test-flow.ts";

const credential = { type: "string", title: "Credential", widget: "credential" };
const tool = { type: "object", title: "Tool", properties: { config: { type: "object", properties: { credential } } } };
const config = {
  type: "object",
  properties: {
    model: { type: "object", widget: "model-settings", properties: { credential } },
    tools: { type: "array", widget: "tools", item: "integration", items: tool },
    stores: { type: "array", items: { type: "object", properties: { storeId: { widget: "document-store" } } } },
    url: { type: "string" },
  },
};
const types = [{ type: "agent", config }] as unknown as NodeType[];

const flowWith = (settings: JsonObject): FlowDocument => ({
  weft: 1,
  nodes: [testNode("start"), testNode("agent_0", { config: settings })],
  edges: [],
});
const settings = {
  model: { provider: "anthropic", model: "claude" },
  tools: [{ type: "web-search" }, { type: "calculator" }, { type: "mail" }],
  stores: [{ storeId: "gone" }],
};
const error = (
  path: string | undefined,
  nodeId: string | null = "agent_0",
  level: Finding["level"] = "error",
): Finding => ({
  level,
  code: "x",
  nodeId,
  message: `${nodeId} ${path}`,
  ...(path === undefined ? {} : { path }),
});
const paths = ["tools.0.config.credential", "tools.2", "model.credential", "model", "stores.0.storeId"];

describe("what a flow lacks", () => {
  const flow = flowWith(settings);
  const choices = findChoices(
    flow,
    paths.map((path) => error(path)),
    types,
  );

  it("is chosen where it is set: a model and a tool as one, each once", () => {
    assert.deepEqual(
      choices.map(({ path, schema }) => [
        path,
        (schema as { widget?: string }).widget,
        valueIn(flow, { nodeId: "agent_0", path, schema }),
      ]),
      [
        ["tools.0", "tool", settings.tools[0]],
        ["tools.2", "tool", settings.tools[2]],
        ["model", "model-settings", settings.model],
        ["stores.0.storeId", "document-store", "gone"],
      ],
    );
  });

  it("is called what an entry of its list is called", () => {
    const [first] = choices.map(({ schema }) => schema);
    assert.ok(first && "title" in first);
    assert.equal(first.title, "Integration");
  });

  it("is no choice where there is nothing to choose from, or nothing to be done", () => {
    const others = [
      error("url"),
      error(undefined),
      error("model.nowhere.else", null),
      error("stores.x.storeId"),
      error("__proto__.widget"),
      error("model", "start"),
      error("model", "agent_0", "warning"),
    ];
    assert.deepEqual(findChoices(flow, others, types), []);
  });

  it("goes to its place, also where others of a list are removed, and leaves the rest as it was", () => {
    const place = (path: string) => keyOf({ nodeId: "agent_0", path });
    const made = new Map<string, Json | undefined>([
      [place("tools.0"), undefined],
      [place("tools.2"), { type: "request-get" }],
      [place("model"), {}],
      [place("stores.0.storeId"), "here"],
      [place("url"), "https://not.asked.example"],
    ]);
    const changed = withChoices(flow, choices, made);
    assert.deepEqual(changed.nodes[1]?.config, {
      model: {},
      tools: [{ type: "calculator" }, { type: "request-get" }],
      stores: [{ storeId: "here" }],
    });
    assert.ok(changed.nodes[0] === flow.nodes[0]);
    assert.deepEqual(flow.nodes[1]?.config, settings);
  });

  it("leaves the remarks, and those errors of its step that are still there", () => {
    const before = [error("model"), error(undefined), error("a", "agent_0", "warning"), error("b", "start")];
    const still = error("tools.0");
    assert.deepEqual(remainingFindings(before, [still, error("c", "start")], new Set(["agent_0"])), [
      before[2],
      before[3],
      still,
    ]);
  });
});
