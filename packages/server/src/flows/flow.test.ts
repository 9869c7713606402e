import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowReading } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { llmFlow, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const foreignNode = (name: string, label: string, more: object = {}) => ({
  id: `${name}_0`,
  type: "agentFlow",
  position: { x: 10, y: 20 },
  data: { id: `${name}_0`, name, label, category: "Agent Flows", version: 1, inputs: {}, ...more },
});

const foreign = {
  nodes: [
    foreignNode("startAgentflow", "Start", { inputs: { startInputType: "chatInput" } }),
    foreignNode("directReplyAgentflow", "Say", { inputs: { directReplyMessage: "Hello" } }),
  ],
  edges: [{ id: "e", source: "startAgentflow_0", target: "directReplyAgentflow_0", type: "agentFlow" }],
};

const read = (platform: TestPlatform, flowData: string) =>
  platform.json<FlowReading>("POST", "/flows/read", { flowData });

await onTestDatabase((databases) => {
  test("a native flow is read as it is, with the findings that its agent would have", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { dialect, flow, findings, flows } = await read(platform, llmFlow());
    assert.deepEqual([dialect, findings, flows], ["native", [], []]);
    assert.deepEqual(
      flow.nodes.map(({ type }) => type),
      ["start", "llm"],
    );
    const broken = await read(platform, '{"weft":1,"nodes":[{"id":"a","type":"teleport"}],"edges":[]}');
    assert.deepEqual(
      broken.findings.map(({ code, nodeId }) => [code, nodeId]),
      [["node-type-unknown", "a"]],
    );
  });

  test("a foreign flow is read as a native one, and stays as it is where it is stored", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const text = JSON.stringify(foreign);
    const { id } = await platform.json<{ id: string }>("POST", "/chatflows", { name: "Foreign", flowData: text });
    const { dialect, flow, findings } = await read(platform, text);
    assert.equal(dialect, "agentflow-v2");
    assert.deepEqual(
      flow.nodes.map(({ type, label, config }) => [type, label, config.message]),
      [
        ["start", "Start", undefined],
        ["direct-reply", "Say", "Hello"],
      ],
    );
    assert.deepEqual(
      flow.edges.map(({ sourcePort }) => sourcePort),
      ["out"],
    );
    assert.deepEqual(findings, []);
    assert.equal((await platform.json<{ flowData: string }>("GET", `/chatflows/${id}`)).flowData, text);
  });

  test("the export of a workspace is read as its flows, a component alone as the reason why it has no native form", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const workspace = { AgentFlowV2: [{ name: "One", flowData: JSON.stringify(foreign) }] };
    const several = await read(platform, JSON.stringify(workspace));
    assert.deepEqual([several.dialect, several.flow.nodes], ["workspace", []]);
    assert.deepEqual(several.flows, [{ name: "One", flowData: JSON.stringify(foreign) }]);
    const alone = await read(platform, '{"nodes":[{"id":"a","data":{"name":"chatOpenAI","category":"Chat Models"}}]}');
    assert.deepEqual(
      alone.findings.map(({ code, level }) => [code, level]),
      [["ending-missing", "error"]],
    );
  });

  test("what is no JSON object is refused", async (t) => {
    const platform = await openTestPlatform(t, databases);
    for (const flowData of ["[]", "{", 3]) {
      assert.equal((await platform.send("POST", "/flows/read", { flowData })).status, 422, String(flowData));
    }
    assert.equal((await platform.send("POST", "/flows/read", { flowData: "{}" }, { authorization: "" })).status, 401);
  });

  test("the catalogue says how each node type is drawn", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const types = await platform.client.listNodeTypes();
    const of = (type: string) => types.find((entry) => entry.type === type);
    assert.deepEqual(of("condition")?.ports, [
      { each: "branches", titleField: "title", title: "Branch {n}" },
      { id: "else", title: "Else" },
    ]);
    assert.deepEqual(of("llm")?.ports, [{ id: "out", title: "Next" }]);
    assert.deepEqual([of("iteration")?.hasSubFlow, of("llm")?.hasSubFlow], [true, false]);
    assert.deepEqual([of("sticky-note")?.executes, of("sticky-note")?.ports], [false, []]);
    assert.deepEqual([of("http")?.icon, of("http")?.outline], ["globe", ["method", "url"]]);
  });
});
