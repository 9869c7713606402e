import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { classicFlow, ref } from "../testing/classic-file.ts";
import { type ClassicNode, createClassicGraph } from "./graph.ts";

const ids = (nodes: readonly ClassicNode[]) => nodes.map(({ id }) => id);
const find = (graph: ReturnType<typeof createClassicGraph>, id: string) => graph.nodes.get(id) ?? assert.fail(id);

describe("a classic graph", () => {
  it("finds what is wired to inputs, each once, and what is made before it", () => {
    const graph = createClassicGraph(
      classicFlow([
        { id: "toolAgent_0", inputs: { model: ref("chatOpenAI_0"), tools: [ref("a_0"), ref("b_0"), ref("a_0")] } },
        { id: "a_0" },
        { id: "b_0" },
        { id: "chatOpenAI_0" },
      ]),
    );
    const agent = find(graph, "toolAgent_0");
    assert.equal(graph.source(agent, "model")?.id, "chatOpenAI_0");
    assert.deepEqual(ids(graph.sources(agent, "tools")), ["a_0", "b_0"]);
    assert.deepEqual(graph.sources(agent, "memory"), []);
    assert.deepEqual([...graph.nodes.keys()], ["a_0", "b_0", "chatOpenAI_0", "toolAgent_0"]);
    assert.deepEqual(ids(graph.before(agent)).toSorted(), ["a_0", "b_0", "chatOpenAI_0"]);
    assert.deepEqual(ids(graph.endings), ["toolAgent_0"]);
  });

  it("reads the wiring of edges where the values say nothing", () => {
    const document = classicFlow([{ id: "llmChain_0", inputs: { model: "" } }, { id: "chatOpenAI_0" }]);
    const edge = { source: "chatOpenAI_0", target: "llmChain_0", targetHandle: "llmChain_0-input-model-BaseChatModel" };
    const graph = createClassicGraph({ ...document, edges: [edge] });
    const chain = find(graph, "llmChain_0");
    assert.equal(graph.source(chain, "model")?.id, "chatOpenAI_0");
    assert.ok(graph.isOnlyDrawn(chain, "model"));
    assert.ok(!graph.isOnlyDrawn(chain, "prompt"));
  });

  it("reads references with and without a path", () => {
    const graph = createClassicGraph(classicFlow([{ id: "a_0" }]));
    assert.deepEqual(graph.reference(" a_0.data.instance.b.c ")?.path, ["b", "c"]);
    assert.deepEqual(graph.reference("a_0.data.instance")?.path, []);
    for (const inner of [
      "b_0.data.instance",
      "a_0.data",
      "a_0.data.instances",
      "a_0.data.instance..b",
      "",
      "question",
    ]) {
      assert.equal(graph.reference(inner), undefined, inner);
    }
  });

  it("leaves out what stands on a circle, and ends", () => {
    const graph = createClassicGraph(
      classicFlow([
        { id: "a_0", inputs: { x: ref("b_0") } },
        { id: "b_0", inputs: { x: ref("a_0") } },
        { id: "c_0", inputs: { x: ref("c_0") } },
      ]),
    );
    assert.deepEqual(ids(graph.cyclic), ["a_0", "b_0"]);
    assert.deepEqual([...graph.nodes.keys()], ["c_0"]);
  });

  it("knows which of the components that nothing uses may answer", () => {
    const graph = createClassicGraph(
      classicFlow([
        { id: "customFunction_0", output: "EndingNode" },
        { id: "customFunction_1", output: "output" },
        { id: "conversationChain_0" },
        { id: "chatOpenAI_0" },
      ]),
    );
    assert.deepEqual(ids(graph.endings), ["customFunction_0", "conversationChain_0"]);
  });

  it("reads long texts in time", () => {
    const long = `{{${" ".repeat(200_000)}`.repeat(2) + "{{ a".repeat(100_000);
    const graph = createClassicGraph(classicFlow([{ id: "a_0", inputs: { x: long } }]));
    assert.equal(graph.nodes.size, 1);
  });
});
