import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FlowNode } from "@weft/schema";
import { renameReferences } from "../session/clipboard.ts";
import { newConfig, newEdgeId, newLabel, newNodeId } from "./edits.ts";
import { instructionsOf, outlineOf, searchNodeTypes } from "./node-catalogue.ts";
import { testCatalogue, testModel, testNode } from "./testing/test-flow.ts";

describe("what a node says of itself", () => {
  const outline = (id: string, config: object = {}) => {
    const node = testNode(id, { config: config as Record<string, string> });
    const type = testCatalogue.typeOf(node);
    assert.ok(type);
    return outlineOf(node, type, testModel([testNode("step_0", { label: "Ask" })]).nodes);
  };

  it("is a line of the fields that its type names", () => {
    assert.equal(outline("step_1", { text: " Two\n lines " }), "Two lines");
    assert.equal(outline("step_1"), "");
    assert.equal(outline("choose_0", { branches: [{ id: "a" }, { id: "b" }] }), "Branches: 2");
    assert.equal(outline("loop_0", { target: "step_0" }), "Ask · At most: 5");
    const tools = [
      { type: "calculator" },
      { type: "request-get", config: { name: "find_order" } },
      { type: "date-time", config: {} },
    ];
    const knowledge = [{ storeId: "a" }, { storeId: "b" }];
    assert.equal(
      outline("agent_0", { model: { model: "gpt-4o" }, tools, knowledge }),
      "gpt-4o · Calculator · find_order · Date time · Knowledge: 2",
    );
    assert.equal(outline("agent_0"), "Default model");
  });

  it("begins with the first line of the first system message", () => {
    const said = (messages: object[] | string) => {
      const node = testNode("agent_0", { config: { messages } as unknown as FlowNode["config"] });
      const type = testCatalogue.typeOf(node);
      assert.ok(type);
      return instructionsOf(node, type);
    };
    const system = (content: unknown) => ({ role: "system", content });
    assert.equal(
      said([{ role: "user", content: "Hi" }, system("\n  Be kind.\nBe brief."), system("Never lie.")]),
      "Be kind.",
    );
    for (const nothing of [[], [system("")], [system(7)], [{ role: "user", content: "Hi" }], "Be kind."])
      assert.equal(said(nothing), "");
    const [step] = testCatalogue.types.filter(({ type }) => type === "step");
    assert.ok(step);
    assert.equal(instructionsOf(testNode("step_0", { config: { text: "Be kind." } }), step), "");
  });
});

describe("the config of a new node", () => {
  it("cites, where the node can", () => {
    assert.deepEqual(newConfig({ properties: { citations: { type: "boolean" } } }), { citations: true });
    assert.deepEqual(newConfig({ properties: { text: { type: "string" } } }), {});
    assert.deepEqual(newConfig({}), {});
  });
});

describe("ids and labels", () => {
  it("are the first that are free", () => {
    assert.equal(newNodeId("http", new Set(["http_0", "http_1", "http_3"])), "http_2");
    assert.equal(newLabel("Agent 2", ["Agent", "Agent 2"]), "Agent 3");
    const edge = { source: "a", sourcePort: "out", target: "b" };
    assert.equal(newEdgeId(edge, new Set(["a-out-b"])), "a-out-b-2");
  });
});

describe("renameReferences", () => {
  it("renames what stands first in a reference, in one go", () => {
    const ids = new Map([
      ["a", "b"],
      ["b", "c"],
    ]);
    assert.equal(
      renameReferences("{{ a }} {{a.b}} {{ b[0] }} {{ x.a }} a {{ ab }}", ids),
      "{{ b }} {{b.b}} {{ c[0] }} {{ x.a }} a {{ ab }}",
    );
  });
});

describe("searchNodeTypes", () => {
  it("finds by title first, then by what the summary says; all words must fit", () => {
    const found = (query: string) => searchNodeTypes(testCatalogue.types, query).map(({ type }) => type);
    assert.deepEqual(found("st"), ["start", "step"]);
    assert.deepEqual(found("branch"), ["choose"]);
    assert.deepEqual(found("logic loop"), ["loop"]);
    assert.deepEqual(found("zebra"), []);
    assert.equal(found("").length, testCatalogue.types.length);
  });
});
