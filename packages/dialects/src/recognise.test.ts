import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { recognise } from "./recognise.ts";
import { foreignFlow, startNode } from "./testing/foreign-file.ts";

const flow = foreignFlow([startNode]);
const v2 = JSON.stringify(flow);

describe("recognise", () => {
  it("finds an agent flow in every wrapping", () => {
    const { nodes = [], edges = [] } = flow;
    const wrappings: Record<string, string> = {
      "the text of an API body": v2,
      "a whole API body": JSON.stringify({ name: "Mail", type: "AGENTFLOW", flowData: v2 }),
      "text that was encoded twice": JSON.stringify(v2),
      "an export without viewport": JSON.stringify({ nodes, edges }),
      "a template": JSON.stringify({ description: "Answers", usecases: ["Mail"], framework: [], nodes, edges }),
    };
    for (const [name, text] of Object.entries(wrappings)) {
      const recognised = recognise(text);
      assert.equal(recognised.dialect, "agentflow-v2", name);
      assert.deepEqual(recognised.dialect === "agentflow-v2" && recognised.document.nodes, nodes, name);
    }
  });

  it("knows agent flows by their nodes when categories were stripped", () => {
    const nodes = [{ id: "startAgentflow_0", data: { name: "startAgentflow" } }];
    assert.equal(recognise(JSON.stringify({ nodes })).dialect, "agentflow-v2");
  });

  it("knows native flows, whatever else they hold", () => {
    assert.equal(recognise('{"weft":1,"nodes":[],"edges":[]}').dialect, "native");
    assert.equal(recognise(JSON.stringify({ ...flow, weft: 1 })).dialect, "native");
  });

  it("knows flows of older engines", () => {
    const components: [string, string, string][] = [
      ["chatOpenAI", "Chat Models", "chatflow"],
      ["worker", "Multi Agents", "multi-agent"],
      ["seqAgent", "Sequential Agents", "multi-agent"],
    ];
    for (const [name, category, kind] of components) {
      const document = { nodes: [{ id: "a", data: { name, category } }], edges: [] };
      assert.deepEqual(recognise(JSON.stringify(document)), { dialect: "classic", kind, document });
    }
  });

  it("lists the flows of an exported workspace, each as it stands", () => {
    const text = JSON.stringify({
      FileDefaultName: "ExportData.json",
      AgentFlowV2: [{ id: "1", name: "Mail", type: "AGENTFLOW", flowData: v2 }, { name: "No flow" }],
      ChatFlow: [{ name: "Old", flowData: "{}" }],
      Tool: [{ name: "Weather", func: "return 1" }],
    });
    const flows = [
      { name: "Mail", flowData: v2 },
      { name: "Old", flowData: "{}" },
    ];
    assert.deepEqual(recognise(text), { dialect: "workspace", flows });
  });

  it("does not know anything else, however strange", () => {
    const deep = `{"nodes":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
    const texts = [
      "",
      "{",
      "null",
      "[]",
      "1",
      '"text"',
      "{}",
      '{"nodes":[]}',
      '{"nodes":"x"}',
      '{"nodes":[null,[],1]}',
    ];
    for (const text of [...texts, deep, '{"ChatFlow":[1]}', '{"flowData":"{"}']) {
      assert.equal(recognise(text).dialect, "unknown", text.slice(0, 40));
    }
  });
});
