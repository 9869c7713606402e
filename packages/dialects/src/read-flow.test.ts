import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readFlow } from "./read-flow.ts";
import { codesOf, foreignFlow, startNode } from "./testing/foreign-file.ts";

describe("readFlow", () => {
  it("reads native flows as they are", () => {
    const native = { weft: 1, nodes: [{ id: "start", type: "start" }], edges: [] };
    const { flow, findings } = readFlow(JSON.stringify(native));
    assert.deepEqual(findings, []);
    assert.deepEqual(
      flow.nodes.map(({ id, type }) => [id, type]),
      [["start", "start"]],
    );
    assert.deepEqual(codesOf(readFlow('{"weft":2}').findings).slice(0, 1), ["error flow-malformed"]);
  });

  it("compiles agent flows", () => {
    const { flow, findings } = readFlow(JSON.stringify(foreignFlow([startNode])));
    assert.deepEqual(findings, []);
    assert.deepEqual(
      flow.nodes.map(({ id, type }) => [id, type]),
      [["startAgentflow_0", "start"]],
    );
  });

  it("compiles classic chatflows", () => {
    const chain = { id: "conversationChain_0", data: { name: "conversationChain", category: "Chains" } };
    const { flow } = readFlow(JSON.stringify({ nodes: [chain], edges: [] }));
    assert.deepEqual(
      flow.nodes.map(({ id, type }) => [id, type]),
      [
        ["start", "start"],
        ["conversationChain_0", "llm"],
      ],
    );
  });

  it("compiles graphs of agents of the first version", () => {
    const start = { id: "seqStart_0", data: { name: "seqStart", category: "Sequential Agents" } };
    const sequentialNode = ["{{seqStart_0.data.instance}}"];
    const agent = {
      id: "seqAgent_0",
      data: { name: "seqAgent", category: "Sequential Agents", inputs: { sequentialNode } },
    };
    const { flow } = readFlow(JSON.stringify({ nodes: [start, agent], edges: [] }));
    assert.deepEqual(
      flow.nodes.map(({ id, type }) => [id, type]),
      [
        ["seqStart_0", "start"],
        ["seqAgent_0", "agent"],
      ],
    );
  });

  it("says of every other text what to do", () => {
    const chatflow = JSON.stringify({ nodes: [{ id: "a", data: { name: "chatOpenAI", category: "Chat Models" } }] });
    const workspace = JSON.stringify({
      ChatFlow: [
        { name: "a", flowData: "{}" },
        { name: "b", flowData: "{}" },
      ],
    });
    const texts: [string, string, RegExp][] = [
      [chatflow, "ending-missing", /Add a chain or an agent/],
      [JSON.stringify({ nodes: [{ data: { name: "worker", category: "Multi Agents" } }] }), "start-missing", /Start/],
      [workspace, "flow-workspace", /2 flows/],
      ["{}", "flow-empty", /Add a start node/],
      ["{", "flow-unparsable", /JSON/],
      ['{"nodes":[{}]}', "flow-dialect-unknown", /native format/],
    ];
    for (const [text, code, message] of texts) {
      const { flow, findings } = readFlow(text);
      assert.deepEqual(codesOf(findings), [`error ${code}`]);
      assert.match(findings[0]?.message ?? "", message);
      assert.deepEqual([flow.nodes, flow.edges], [[], []]);
    }
  });
});
