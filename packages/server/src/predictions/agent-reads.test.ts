import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Database } from "@weft/database";
import type { KyselyPlugin } from "kysely";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { say, toFlowData } from "../testing/flow-table/flow-case.ts";
import { agentWith, openTestPlatform } from "../testing/test-platform.ts";
import { open, webhookAgent } from "../webhooks/testing/webhook-agent.ts";

/** A platform that counts how often rows of agents are read. */
async function setUp(t: TestContext, databases: TestDatabases) {
  let reads = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.some((row) => "chatbotConfig" in row)) reads += 1;
      return result;
    },
  };
  const wrapDatabase = (database: Database): Database => ({ ...database, read: database.read.withPlugin(plugin) });
  const platform = await openTestPlatform(t, databases, { ALLOW_PUBLIC_FLOWS: "true" }, { wrapDatabase });
  return {
    platform,
    /** Reads during some work. */
    async readsOf(work: () => Promise<Response>): Promise<number> {
      const before = reads;
      const response = await work();
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return reads - before;
    },
  };
}

const flowData = toFlowData({ nodes: { reply: say("{{ question }}") }, edges: "start>reply" });

await onTestDatabase((databases) => {
  /** On PostgreSQL another process may have saved it. */
  const again = databases.name === "postgres" ? 1 : 0;

  test("the agent's row is read at most once a request, and not again where nothing can have changed", async (t) => {
    const { platform, readsOf } = await setUp(t, databases);
    const isPublic = { isPublic: true, chatbotConfig: JSON.stringify({ allowedOrigins: ["https://shop.example"] }) };
    const id = await agentWith(platform, flowData, isPublic);
    const ask = (body: object, headers = {}) => platform.send("POST", `/prediction/${id}`, body, headers);
    const visitor = { authorization: "", origin: "https://shop.example" };
    const anonymous = (body: object) => {
      const { authorization: _, ...headers } = visitor;
      const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
      return platform.fetch(
        new Request(`http://platform/api/v1/prediction/${id}`, { ...init, body: JSON.stringify(body) }),
      );
    };
    assert.equal(await readsOf(() => ask({ question: "Hello" })), 1);
    assert.equal(await readsOf(() => ask({ question: "Hello", streaming: true })), again);
    assert.equal(await readsOf(() => ask({ question: "Hello" }, { origin: "https://shop.example" })), again);
    assert.equal(await readsOf(() => anonymous({ question: "Hello" })), again);
    assert.equal(await readsOf(() => anonymous({ question: "Hello", streaming: true })), again);
    await platform.send("PUT", `/chatflows/${id}`, { name: "changed" });
    assert.equal(await readsOf(() => ask({ question: "Hello" })), 1);
  });

  test("a webhook reads its agent once", async (t) => {
    const { platform, readsOf } = await setUp(t, databases);
    const agent = await webhookAgent(platform, open, "ran");
    assert.equal(await readsOf(() => agent.send({ body: "{}" })), 1);
  });

  test("programs of other protocols read the agent once", async (t) => {
    const { platform, readsOf } = await setUp(t, databases);
    const id = await agentWith(platform, flowData, { deployed: true, name: "Echo" });
    const messages = [{ role: "user", content: "Hello" }];
    const headers = { authorization: `Bearer ${platform.token}`, "content-type": "application/json" };
    const complete = (model: string) =>
      platform.fetch(
        new Request("http://platform/v1/chat/completions", {
          method: "POST",
          headers,
          body: JSON.stringify({ model, messages }),
        }),
      );
    assert.equal(await readsOf(() => complete(id)), 1);
    // By a name that is looked up among all.
    assert.equal(await readsOf(() => complete("echo")), 1 + again);
  });
});
