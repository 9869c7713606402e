import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";

const programWith = (secret: string) => `import { Agent, Runner, hostedMcpTool } from "@openai/agents";
const mcp = hostedMcpTool({
  serverLabel: "shop",
  serverUrl: "https://shop.example/mcp?apiKey=${secret}",
  authorization: JSON.stringify({ expression: "\\"${Buffer.from(secret).toString("base64")}\\"", format: "cel" }),
  headers: { "X-Token": "${secret}", Authorization: "Bearer ${secret}" },
});
const clerk = new Agent({ name: "Clerk", instructions: "Help.", model: "gpt-4o", tools: [mcp] });
export const runWorkflow = async (workflow: { input_as_text: string }) => {
  const runner = new Runner({ traceMetadata: { __trace_source__: "agent-builder" } });
  const clerkResult = await runner.run(clerk, [{ role: "user", content: workflow.input_as_text }]);
  return clerkResult;
};
`;

export const attack = defineAttack({
  name: "a reader of agents looks for the tokens of an imported program",
  async run(house) {
    const secret = `${house.plant()}`;
    const importer = await house.keyHolder({ permissions: ["agents:read", "agents:write", "credentials:write"] });
    const files = [{ name: "clerk.ts", text: programWith(secret) }];
    const seen = await importer.send("POST", "/api/v1/flows/read", { files });
    assert.equal(seen.status, 200, seen.text.slice(0, 300));
    const made = await importer.send("POST", "/api/v1/flows/import", { files });
    assert.equal(made.status, 200, made.text.slice(0, 300));
    const { agent, credentials } = made.json<{ agent: { id: string }; credentials: unknown[] }>();
    assert.ok(credentials.length > 0, "No secret was found, so the attack proves nothing.");
    const reader = await house.keyHolder({ permissions: ["agents:read", "credentials:read", "executions:read"] });
    const paths = [
      `/chatflows/${agent.id}`,
      `/chatflows/${agent.id}/versions/1`,
      `/chatflows/${agent.id}/findings`,
      "/credentials",
    ];
    for (const path of paths) {
      const { status, text } = await reader.send("GET", `/api/v1${path}`);
      assert.equal(status, 200, text.slice(0, 300));
      assert.ok(!text.includes(Buffer.from(secret).toString("base64")), `${path} holds the encoded secret.`);
    }
    return `${credentials.length} secrets became credentials, and no answer holds one.`;
  },
});
