import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Finding, PredictionResult } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";

const id = "00000000-0000-4000-8000-000000000000";

const flowWith = (config: object) => flowOf("agent", "Agent", config);
const missing: Record<string, [flow: string, code: string, message: RegExp, answer: RegExp, path: string]> = {
  "a credential of a model": [
    flowWith({ model: { model: "openai/gpt-4o", credential: id } }),
    "credential-missing",
    /Choose another one, or create it/,
    /credential/,
    "model.credential",
  ],
  "a credential of a tool": [
    flowWith({ tools: [{ type: "web-search", config: { credential: id } }] }),
    "credential-missing",
    /credential/,
    /credential/,
    "tools.0.config.credential",
  ],
  "a tool": [
    flowWith({ tools: [{ type: "custom-tool", config: { toolId: id } }] }),
    "tool-missing",
    /Choose another one, or remove it/,
    /Choose another tool/,
    "tools.0.config.toolId",
  ],
  "an agent": [
    flowOf("execute-flow", "Call", { agentId: id }),
    "agent-missing",
    /calls does not exist/,
    /agent/,
    "agentId",
  ],
  "a document store": [
    flowOf("retriever", "Retriever", { stores: [{ storeId: id }] }),
    "document-store-missing",
    /Choose another one, or remove it/,
    /document store/,
    "stores.0.storeId",
  ],
  "an MCP server": [
    flowWith({ tools: [{ type: "mcp-server", config: { server: "slack" } }] }),
    "mcp-server-missing",
    /add it to MCP_SERVERS/,
    /there is no local server named slack/,
    "tools.0.config.server",
  ],
};

await onTestDatabase((databases) => {
  describe("what a flow refers to and is not there", { concurrency: 3 }, () => {
    for (const [name, [flowData, code, message, answer, path]] of Object.entries(missing)) {
      it(`${name} is a finding, and a run says what is missing`, async (t) => {
        const platform = await openTestPlatform(t, databases, { OPENAI_API_KEY: "test" });
        const agentId = await agentWith(platform, flowData);
        const findings = await platform.json<Finding[]>("GET", `/chatflows/${agentId}/findings`);
        const [finding] = findings.filter((each) => each.code === code);
        assert.ok(finding, JSON.stringify(findings));
        assert.deepEqual([finding.level, finding.nodeId, finding.path], ["error", "node_0", path]);
        assert.match(finding.message, message);
        const refused = await platform.send("POST", `/prediction/${agentId}`, { question: "Hi" });
        assert.equal(refused.status, 500);
        assert.match(((await refused.json()) as { message: string }).message, answer);
      });
    }

    it("is no finding any more once it is there", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const other = await agentWith(platform, flowOf("direct-reply", "Reply", { message: "Hello" }));
      const agentId = await agentWith(platform, flowOf("execute-flow", "Call", { agentId: other }));
      assert.deepEqual(await platform.json("GET", `/chatflows/${agentId}/findings`), []);
      const { text } = await platform.json<PredictionResult>("POST", `/prediction/${agentId}`, { question: "Hi" });
      assert.equal(text, "Hello");
      await platform.send("DELETE", `/chatflows/${other}`);
      const [finding] = await platform.json<Finding[]>("GET", `/chatflows/${agentId}/findings`);
      assert.equal(finding?.code, "agent-missing");
    });
  });
});
