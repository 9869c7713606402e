import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { onTestDatabase, type TestDatabases } from "../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform } from "./testing/test-platform.ts";

const shopKey = "rk-of-the-shop-4711";
const commandKey = "ck-of-the-command-0815";

/** An MCP server whose one tool tells what is in its environment, on both of its outputs. */
const server = `
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const about = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    const seen = process.env.API_KEY + " in " + process.env.NODE_ENV;
    if (method === "tools/call") console.error("called with " + seen);
    const results = {
      "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
      "tools/list": { tools: [{ name: "env", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: seen }] },
    };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { ...about, ...results[method] } }));
  });
`;

async function open(t: TestContext, databases: TestDatabases) {
  const lines: string[] = [];
  const commands = {
    shop: { command: process.execPath, args: ["-e", server], env: { API_KEY: commandKey, NODE_ENV: "production" } },
  };
  const env = {
    RUNTIME_VARIABLES: "SHOP_KEY,STAGE,SHOP_URL",
    SHOP_KEY: shopKey,
    STAGE: "production",
    SHOP_URL: "https://shop.example.com/v1",
    MCP_SERVERS: JSON.stringify(commands),
  };
  const platform = await openTestPlatform(t, databases, env, { writeLog: (line) => lines.push(line) });
  for (const name of ["SHOP_KEY", "STAGE", "SHOP_URL"]) {
    await platform.json("POST", "/variables", { name, type: "runtime", value: "" });
  }
  const ask = async (flowData: string) => {
    const id = await agentWith(platform, flowData);
    const answer = await (await platform.send("POST", `/prediction/${id}`, { question: "Hi" })).text();
    const { data } = await platform.json<{ data: { id: string }[] }>("GET", `/executions?agentflowId=${id}`);
    return { answer, trace: JSON.stringify(await platform.json("GET", `/executions/${data[0]?.id}`)) };
  };
  return { ask, lines };
}

await onTestDatabase((databases) => {
  test("a runtime variable stands in no failure, trace or log, and reaches what reads it", async (t) => {
    const { ask, lines } = await open(t, databases);
    const variables = [{ name: "key", value: "{{ $vars.SHOP_KEY }}" }];
    const failed = await ask(
      flowOf("custom-function", "Shop", {
        variables,
        code: "throw new Error('no order for ' + $key + ' at ' + $vars.STAGE)",
      }),
    );
    assert.match(failed.answer, /no order for \[secret\] at production/);
    assert.match(failed.trace, /\[secret\]/);
    const code = "console.log($key); return { length: $key.length, key: $key, at: $vars.SHOP_URL + ' ' + $vars.STAGE }";
    const done = await ask(flowOf("custom-function", "Shop", { variables, code }));
    assert.match(done.trace, new RegExp(`length.{1,4}:${shopKey.length}`), "the code had the value");
    assert.match(done.trace, /https:\/\/shop\.example\.com\/v1 production/, "what is not a secret is shown");
    for (const text of [failed.answer, failed.trace, done.trace, ...lines]) assert.ok(!text.includes(shopKey), text);
  });

  test("what a command of MCP_SERVERS has in its environment stands in no answer, trace or log", async (t) => {
    const { ask, lines } = await open(t, databases);
    const config = { tool: { type: "mcp-server", config: { server: "shop" } }, toolName: "env" };
    const { answer, trace } = await ask(flowOf("tool", "Env", config));
    assert.match(answer, /\[secret\] in production/);
    assert.match(trace, /\[secret\] in production/);
    assert.ok(
      lines.some((line) => line.includes("called with [secret] in production")),
      lines.join(""),
    );
    for (const text of [answer, trace, ...lines]) assert.ok(!text.includes(commandKey), text);
  });
});
