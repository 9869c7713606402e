import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { type BuiltFlowise, flowiseId, sealFlowise } from "@weft/flowise-source/testing";
import { createScriptedOpenAiServer, type ScriptStep } from "@weft/providers/testing";
import { type Credential, toJsonObject } from "@weft/schema";
import { onTestDatabase, openTestStorage } from "../../../database/src/testing/test-databases.ts";
import { startBench } from "../../../integrations/src/testing/bench.ts";
import { said } from "../../../integrations/src/testing/scripted-mcp.ts";
import { createScriptedMcpServer } from "../../../integrations/src/testing/scripted-mcp-server.ts";
import { describeReport } from "../cli/import-flowise.ts";
import { scriptedModelEnv } from "../testing/scripted-model.ts";
import { openRestartable } from "../testing/test-platform.ts";
import { buildFlowise, countsOf, importFrom } from "./testing/bench.ts";

const withHeaders = flowiseId("custom_mcp_server", 0);
const withoutHeaders = flowiseId("custom_mcp_server", 1);
const agentId = flowiseId("chat_flow", 0);
const secret = "Bearer mcp-secret";

/** An AgentFlow V2 whose agent has an action of each server. */
function flowWith(...servers: string[]): string {
  const tools = servers.map((mcpServerId) => ({
    agentSelectedTool: "customMcpServerTool",
    agentSelectedToolConfig: { mcpServerId, mcpActions: '["search"]' },
  }));
  const nodes = [
    ["startAgentflow", { startInputType: "chatInput" }],
    ["agentAgentflow", { agentTools: tools }],
  ] as const;
  return JSON.stringify({
    nodes: nodes.map(([name, inputs]) => ({
      id: `${name}_0`,
      type: "agentFlow",
      position: { x: 0, y: 0 },
      data: { id: `${name}_0`, name, label: name, inputs },
    })),
    edges: [{ id: "e", source: "startAgentflow_0", target: "agentAgentflow_0" }],
  });
}

function change({ database }: BuiltFlowise, table: string, id: string, values: Record<string, string | null>): void {
  using opened = new DatabaseSync(database);
  for (const [column, value] of Object.entries(values)) {
    opened.prepare(`update ${table} set ${column} = ? where id = ?`).run(value, id);
  }
}

const onSqlite = (t: TestContext, env: Record<string, string> = {}) =>
  openRestartable(t, { createTestStorage: (cleanUp) => openTestStorage("sqlite", cleanUp) }, env);

await onTestDatabase((databases) => {
  test("an agent goes on with the actions of a registered MCP server, its headers sealed and sent there alone", async (t) => {
    const mcp = createScriptedMcpServer({
      era: "modern",
      tools: [{ name: "search" }, { name: "drop_all" }],
      calls: { search: () => said("Found.") },
    });
    const bench = await startBench(t, mcp);
    const flowise = await buildFlowise(t);
    const flowData = flowWith(withHeaders);
    change(flowise, "custom_mcp_server", withHeaders, { serverUrl: `${bench.base}/mcp` });
    change(flowise, "chat_flow", agentId, { flowData, type: "AGENTFLOW" });
    const steps: ScriptStep[] = [{ toolCalls: [{ name: "search", arguments: {} }] }, { text: "Done." }];
    const model = await createScriptedOpenAiServer({ script: steps });
    t.after(() => model.close());
    const { host } = new URL(bench.base);
    const here = await openRestartable(t, databases, { ...scriptedModelEnv(model), EGRESS_ALLOW: host });

    const dry = await importFrom(flowise, here.storage, { dryRun: true });
    const destinationsBy = { name: "operator", owner: "account:operator", isKey: false };
    const first = await importFrom(flowise, here.storage, { destinationsBy });
    const second = await importFrom(flowise, here.storage);
    assert.deepEqual(countsOf(dry, "custom_mcp_server"), [2, 1, 0, 1]);
    assert.deepEqual(countsOf(first, "custom_mcp_server"), [2, 1, 0, 1]);
    assert.deepEqual(countsOf(second, "custom_mcp_server"), [2, 0, 1, 1]);
    assert.match(describeReport(first), /MCP 1: It has no headers to keep/);
    const told = first.agents.find(({ id }) => id === agentId)?.findings ?? [];
    assert.ok(
      told.some((finding) => /addresses of its MCP servers.*version 1/.test(finding)),
      told.join("\n"),
    );
    assert.ok(!told.some((finding) => /^error/.test(finding)), told.join("\n"));
    assert.deepEqual(dry.agents.find(({ id }) => id === agentId)?.findings, told);

    const platform = await here.open();
    const credential = await platform.json<Credential>("GET", `/credentials/${withHeaders}`);
    assert.deepEqual(
      [credential.name, credential.credentialName, credential.fields, credential.hosts],
      ["MCP server MCP 0", "httpApiKey", ["key", "value"], [`http://${host}`]],
    );
    const versions = await platform.json<{ number: number }[]>("GET", `/chatflows/${agentId}/versions`);
    assert.deepEqual(versions.map(({ number }) => number).toSorted(), [1, 2]);
    const original = await platform.json<{ flowData: string }>("GET", `/chatflows/${agentId}/versions/1`);
    assert.equal(original.flowData, flowData);
    const answer = await platform.json<{ text: string }>("POST", `/prediction/${agentId}`, { question: "Search" });
    assert.equal(answer.text, "Done.");
    const [call] = bench.received.filter(({ body }) => body.includes("tools/call"));
    assert.equal(call?.headers.authorization, secret);
    const offered = model.requests[0]?.body.tools?.map((tool) => toJsonObject(tool.function).name);
    assert.deepEqual(offered, ["search"], "only the chosen action");
    const agent = await platform.json<object>("GET", `/chatflows/${agentId}`);
    const shown = JSON.stringify([first, dry, credential, agent, answer, model.requests]);
    assert.ok(!shown.includes("mcp-secret"));
  });
});

test("several headers are one credential, as many as it holds, and the report names the rest", async (t) => {
  const flowise = await buildFlowise(t);
  const names = ["Authorization", "X-Team", "X-Org", "X-Plan", "X-Fifth"];
  const headers = {
    ...Object.fromEntries(names.map((name, index) => [name, `s3cret-${index}`])),
    " ": "x",
    "X-Empty": "",
  };
  const authConfig = sealFlowise({ headers }, flowise.contents.key, "many");
  change(flowise, "custom_mcp_server", withHeaders, { authConfig });
  const here = await onSqlite(t);
  const report = await importFrom(flowise, here.storage);
  assert.match(describeReport(report), /holds 4 headers\. Set these in the tool "MCP server" of its agents: X-Fifth\./);
  assert.ok(!JSON.stringify(report).includes("s3cret"));
  const { credentialName, fields } = await (await here.open()).json<Credential>("GET", `/credentials/${withHeaders}`);
  assert.equal(credentialName, "httpHeaders");
  assert.deepEqual(
    fields,
    [1, 2, 3, 4].flatMap((number) => [`headerName${number}`, `headerValue${number}`]),
  );
});

test("headers that cannot be opened are entered later, and a server without an address is left", async (t) => {
  const flowise = await buildFlowise(t);
  change(flowise, "chat_flow", agentId, { flowData: flowWith(withHeaders, withoutHeaders), type: "AGENTFLOW" });
  change(flowise, "custom_mcp_server", withoutHeaders, { serverUrl: null, authType: "OAUTH" });
  const here = await onSqlite(t);
  const report = await importFrom(flowise, here.storage, { key: "another key of 32 characters ..." });
  const again = await importFrom(flowise, here.storage, { key: "another key of 32 characters ..." });
  assert.ok(!describeReport(again).includes("came without its headers"), "it may have been entered since");
  const text = describeReport(report);
  assert.match(text, /"MCP server MCP 0" came without its headers: the key does not open it/);
  assert.match(text, /MCP 1: It has no address/);
  assert.match(text, /Its MCP server was registered there, and a flow holds only its id/);
  const { fields } = await (await here.open()).json<Credential>("GET", `/credentials/${withHeaders}`);
  assert.deepEqual(fields, []);
});

test("a server without headers needs no credential, and one that requires a sign-in is reported", async (t) => {
  const flowise = await buildFlowise(t);
  const flowData = flowWith(withoutHeaders, "unknown");
  const inText = flowData.replace(/"agentTools":(\[.*?\])\}/, (_, list) => `"agentTools":${JSON.stringify(list)}}`);
  assert.notEqual(inText, flowData);
  change(flowise, "chat_flow", agentId, { flowData: inText, type: "AGENTFLOW" });
  const empty = sealFlowise({ headers: {} }, flowise.contents.key, "none");
  change(flowise, "custom_mcp_server", withHeaders, { authConfig: empty });
  change(flowise, "custom_mcp_server", withoutHeaders, { authType: "OAUTH" });
  const here = await onSqlite(t);
  const report = await importFrom(flowise, here.storage);
  assert.deepEqual(countsOf(report, "custom_mcp_server"), [2, 0, 0, 2]);
  assert.match(describeReport(report), /MCP server "MCP 1" requires an OAuth sign-in/);
  const platform = await here.open();
  const agent = await platform.json<{ flowData: string }>("GET", `/chatflows/${agentId}`);
  const written = JSON.stringify(JSON.parse(agent.flowData)).replaceAll("\\", "");
  assert.match(written, new RegExp(`"mcpServerId":"${withoutHeaders}"[^}]*"serverUrl":"https://mcp.example.org/mcp"}`));
  assert.ok(!/"credential"/.test(written));
  assert.equal((await platform.send("GET", `/credentials/${withHeaders}`)).status, 404);
});
