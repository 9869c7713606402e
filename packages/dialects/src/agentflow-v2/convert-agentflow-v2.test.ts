import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { flowDocumentSchema } from "@weft/schema";
import { codesOf, type ForeignTestNode, foreignFlow, nodeOf, startNode } from "../testing/foreign-file.ts";
import { convertAgentFlowV2 } from "./convert-agentflow-v2.ts";

const reply = (id: string, message: string, more: Partial<ForeignTestNode> = {}): ForeignTestNode => ({
  id,
  inputs: { directReplyMessage: message },
  ...more,
});
const rows = [
  { type: "string", value1: "a", operation: "equal", value2: "b" },
  { type: "string", value1: "c", operation: "equal", value2: "d" },
];
const decision: ForeignTestNode = { id: "conditionAgentflow_0", inputs: { conditions: rows } };

function edgesOf(flow: ReturnType<typeof convertAgentFlowV2>["flow"]) {
  return flow.edges.map(({ source, sourcePort, target }) => `${source}:${sourcePort}>${target}`);
}

describe("convertAgentFlowV2", () => {
  it("keeps ids, labels and positions", () => {
    const { flow, findings } = convertAgentFlowV2(
      foreignFlow(
        [startNode, reply("directReplyAgentflow_0", "Hello", { label: "Say hello" })],
        ["startAgentflow_0>directReplyAgentflow_0"],
      ),
    );
    assert.deepEqual(findings, []);
    assert.deepEqual(nodeOf(flow, "directReplyAgentflow_0"), {
      id: "directReplyAgentflow_0",
      type: "direct-reply",
      version: 1,
      label: "Say hello",
      position: { x: 200, y: 40 },
      config: { message: "Hello" },
    });
    assert.deepEqual(edgesOf(flow), ["startAgentflow_0:out>directReplyAgentflow_0"]);
    assert.ok(flowDocumentSchema.safeParse(flow).success);
  });

  it("gives other ids where native flows permit none, also in references", () => {
    const ids = ["1st", "my node", "my_node", "question", "node_my_node"];
    const data = { name: "directReplyAgentflow" };
    const nodes = ids.map((id) => reply(id, "{{ my node }} {{ 1st.output.content }} {{ question }}", { data }));
    const { flow } = convertAgentFlowV2(foreignFlow(nodes, ["my node>1st"]));
    const native = flow.nodes.map(({ id }) => id);
    assert.deepEqual(native, ["node_1st", "node_my_node_2", "my_node", "node_question", "node_my_node"]);
    assert.equal(flow.nodes[0]?.config.message, "{{ node_my_node_2 }} {{ node_1st.output.content }} {{ question }}");
    assert.deepEqual(edgesOf(flow), ["node_my_node_2:out>node_1st"]);
  });

  it("leads each output of a decision to its own target", () => {
    const targets = ["a", "b", "c"].map((name, index) => reply(`directReplyAgentflow_${index}`, name));
    const edges = [2, 0, 1, 0].map((output) => `conditionAgentflow_0:${output}>directReplyAgentflow_${output}`);
    const { flow, findings } = convertAgentFlowV2(foreignFlow([startNode, decision, ...targets], edges));
    assert.deepEqual(edgesOf(flow), [
      "conditionAgentflow_0:else>directReplyAgentflow_2",
      "conditionAgentflow_0:0>directReplyAgentflow_0",
      "conditionAgentflow_0:1>directReplyAgentflow_1",
    ]);
    assert.deepEqual(findings, []);
  });

  it("leaves out edges that lead nowhere, and says so where it matters", () => {
    const inside = reply("directReplyAgentflow_0", "x", { parent: "iterationAgentflow_0" });
    const nodes = [startNode, decision, { id: "iterationAgentflow_0" }, inside, reply("directReplyAgentflow_1", "y")];
    const edges = [
      "startAgentflow_0>gone",
      "gone>directReplyAgentflow_1",
      "startAgentflow_0>directReplyAgentflow_0",
      "conditionAgentflow_0:3>directReplyAgentflow_1",
      "conditionAgentflow_0>directReplyAgentflow_1",
    ];
    const { flow, findings } = convertAgentFlowV2(foreignFlow(nodes, edges));
    assert.deepEqual(flow.edges, []);
    assert.deepEqual(codesOf(findings), Array(3).fill("warning edge-left-out"));
    assert.match(
      findings[0]?.message ?? "",
      /^Node "startAgentflow_0": Its edge to "directReplyAgentflow_0" leads into/,
    );
    assert.equal(findings[1]?.nodeId, "conditionAgentflow_0");
  });

  it("puts nodes into the iteration that they stand in", () => {
    const nodes = [
      startNode,
      { id: "iterationAgentflow_0", inputs: { iterationInput: "{{ question }}" } },
      reply("directReplyAgentflow_0", "{{ $iteration.item }}", { parent: "iterationAgentflow_0" }),
      reply("directReplyAgentflow_1", "x", { parent: "gone" }),
      reply("directReplyAgentflow_2", "x", { parent: "directReplyAgentflow_1" }),
    ];
    const { flow } = convertAgentFlowV2(foreignFlow(nodes));
    assert.deepEqual(
      flow.nodes.map(({ parent }) => parent),
      [undefined, undefined, "iterationAgentflow_0", undefined, undefined],
    );
  });

  it("refuses nodes that it does not know, and goes on", () => {
    const odd = ["futureAgentflow_0", "constructor", "__proto__"].map((id) => ({ id }));
    const { flow, findings } = convertAgentFlowV2(
      foreignFlow([startNode, ...odd], ["startAgentflow_0>futureAgentflow_0"]),
    );
    assert.deepEqual(
      flow.nodes.map(({ id }) => id),
      ["startAgentflow_0"],
    );
    assert.deepEqual(flow.edges, []);
    assert.deepEqual(codesOf(findings), Array(3).fill("error node-unsupported"));
    assert.match(findings[0]?.message ?? "", /futureAgentflow/);
  });

  it("tells of a reference to nothing once for each node", () => {
    const { flow, findings } = convertAgentFlowV2(
      foreignFlow([reply("directReplyAgentflow_0", "{{ name }} {{ name }}")]),
    );
    assert.equal(flow.nodes[0]?.config.message, "{{ $openBraces }} name }} {{ $openBraces }} name }}");
    assert.deepEqual(codesOf(findings), ["warning reference-unknown"]);
  });

  it("takes what is missing, doubled or of another kind", () => {
    const node = { id: "llmAgentflow_0", data: { name: "llmAgentflow" } };
    const strange = {
      nodes: [
        null,
        1,
        {},
        { id: 7 },
        { id: "a", data: null },
        node,
        { ...node, position: { x: "1" } },
        { data: { id: "b", name: "llmAgentflow", inputs: [] } },
      ],
      edges: [null, {}, { source: "llmAgentflow_0", target: "b" }],
    };
    const { flow } = convertAgentFlowV2(strange);
    assert.deepEqual(
      flow.nodes.map(({ id }) => id),
      ["llmAgentflow_0", "b"],
    );
    assert.deepEqual(edgesOf(flow), ["llmAgentflow_0:out>b"]);
    assert.deepEqual(convertAgentFlowV2({ nodes: "x", edges: {} }).flow, { weft: 1, nodes: [], edges: [] });
  });

  it("refuses a flow that is too large", () => {
    const nodes = Array.from({ length: 2_001 }, (_, index) => reply(`directReplyAgentflow_${index}`, ""));
    const { flow, findings } = convertAgentFlowV2(foreignFlow(nodes));
    assert.deepEqual(flow.nodes, []);
    assert.deepEqual(codesOf(findings), ["error flow-too-large"]);
  });
});
