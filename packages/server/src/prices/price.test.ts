import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const model = "openai-compatible/m-1";

/** An agent that answers with a model whose server counts tokens. */
async function openPriced(
  t: Parameters<typeof openTestPlatform>[0],
  databases: Parameters<typeof openTestPlatform>[1],
) {
  const vendor = await createScriptedOpenAiServer({ script: () => ({ text: "Hello" }) });
  t.after(() => vendor.close());
  const platform = await openTestPlatform(t, databases, {
    EGRESS_ALLOW: new URL(vendor.url).host,
    MODEL_PRICES: `{"${model}":{"input":1000,"output":2000}}`,
  });
  const plainDataObj = { apiKey: "sk-own", baseUrl: vendor.url };
  const { id: credential } = await platform.client.createCredential({
    name: "Model",
    credentialName: "openai-compatible",
    plainDataObj,
  });
  const agent = await agentWith(
    platform,
    llmFlow({ model: { provider: "openai-compatible", model: "m-1", credential } }),
  );
  return { platform, agent };
}

async function runOnce({ client }: TestPlatform, id: string) {
  const { executionId } = await client.createPrediction({ id }, { question: "Hi" });
  return client.getExecution({ id: executionId });
}

await onTestDatabase((databases) => {
  describe("what runs cost", () => {
    it("is the sum of their model calls by the prices when they end, in lists, in the run and at its steps", async (t) => {
      const { platform, agent } = await openPriced(t, databases);
      const { client } = platform;
      const run = await runOnce(platform, agent);
      const { inputTokens, outputTokens } = run.usage;
      assert.ok(inputTokens > 0 && outputTokens > 0);
      const expected = (inputTokens * 1000 + outputTokens * 2000) / 1e6;
      assert.equal(run.costDollars?.toFixed(9), expected.toFixed(9));
      const step = run.steps.find(({ effects }) => effects.length > 0);
      assert.equal(step?.costDollars?.toFixed(9), expected.toFixed(9));
      assert.equal(step?.effects[0]?.costDollars?.toFixed(9), expected.toFixed(9));
      assert.equal(run.steps.find(({ effects }) => effects.length === 0)?.costDollars, null);

      const set = await client.setPrices({ prices: { [model]: { input: 0, output: 0 } } });
      assert.deepEqual(set.prices, { [model]: { input: 0, output: 0 } });
      assert.deepEqual(Object.keys(set.environment), [model]);
      assert.equal((await runOnce(platform, agent)).costDollars, 0);
      // What a run cost was said when it ended.
      assert.equal((await client.getExecution({ id: run.id })).costDollars, run.costDollars);
      const { data } = await client.listExecutions({});
      assert.deepEqual(
        data.map(({ costDollars }) => costDollars),
        [0, run.costDollars],
      );
    });

    it("names the models that runs have called, with the price that holds for each and where it comes from", async (t) => {
      const { platform, agent } = await openPriced(t, databases);
      const { client } = platform;
      assert.deepEqual((await client.getPrices()).models, []);
      await runOnce(platform, agent);
      await runOnce(platform, agent);
      const seen = async () => (await client.getPrices()).models;
      assert.deepEqual(await seen(), [{ id: model, price: { input: 1000, output: 2000 }, origin: "environment" }]);
      const own = { input: 3, output: 4 };
      const { models } = await client.setPrices({ prices: { [model]: own } });
      assert.deepEqual(models, [{ id: model, price: own, origin: "set" }]);
    });

    it("names a called model that has no price", async (t) => {
      const vendor = await createScriptedOpenAiServer({ script: () => ({ text: "Hello" }) });
      t.after(() => vendor.close());
      const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: new URL(vendor.url).host });
      const { id: credential } = await platform.client.createCredential({
        name: "Model",
        credentialName: "openai-compatible",
        plainDataObj: { apiKey: "sk-own", baseUrl: vendor.url },
      });
      const config = { model: { provider: "openai-compatible", model: "own-1", credential } };
      const run = await runOnce(platform, await agentWith(platform, llmFlow(config)));
      assert.equal(run.costDollars, null);
      assert.deepEqual((await platform.client.getPrices()).models, [
        { id: "openai-compatible/own-1", price: null, origin: null },
      ]);
      await platform.client.setPrices({ prices: { "openai-compatible/own-1": { input: 1, output: 1 } } });
      const priced = await runOnce(platform, await agentWith(platform, llmFlow(config)));
      assert.ok((priced.costDollars ?? 0) > 0);
    });

    it("is unknown, and not 0, where a model has no price", async (t) => {
      const { client, ...platform } = await openTestPlatform(t, databases);
      const agent = await agentWith({ client, ...platform }, llmFlow({ model: { provider: "rehearsal" } }));
      const run = await runOnce({ client, ...platform }, agent);
      assert.equal(run.costDollars, null);
      const stats = await client.getStats({ range: "24h" });
      assert.equal(stats.costDollars, null);
      assert.equal(stats.unpricedRuns, run.usage.totalTokens > 0 ? 1 : 0);
    });

    it("follows what is set, whatever is wrong changes nothing, and keys without the permission only read", async (t) => {
      const { client, send } = await openTestPlatform(t, databases);
      const own = { "openai/gpt-4o": { input: 1, output: 2 } };
      await client.setPrices({ prices: own });
      for (const prices of [{ "gpt-4o": { input: 1, output: 1 } }, { "a/b": { input: -1, output: 1 } }, { "a/b": 7 }]) {
        assert.equal((await send("PUT", "/prices", { prices })).status, 422, JSON.stringify(prices));
      }
      const { prices, list, source } = await client.getPrices();
      assert.deepEqual(prices, own);
      assert.ok(list["openai/gpt-4o-mini"] && source.date);
      const { apiKey } = await client.createApiKey({ keyName: "reader", permissions: ["agents:read"] });
      const authorization = `Bearer ${apiKey}`;
      assert.equal((await send("GET", "/prices", undefined, { authorization })).status, 200);
      assert.equal((await send("PUT", "/prices", { prices: {} }, { authorization })).status, 403);
      assert.deepEqual((await client.setPrices({ prices: {} })).prices, {});
    });
  });

  describe("statistics", () => {
    it("count runs, failures, tokens and costs by time and agent, with the latest failures", async (t) => {
      const { platform, agent } = await openPriced(t, databases);
      const { client } = platform;
      const first = await runOnce(platform, agent);
      await runOnce(platform, agent);
      const broken = await agentWith(platform, llmFlow({ model: { provider: "openai", model: "gpt-4o" } }));
      await platform.send("POST", `/prediction/${broken}`, { question: "Hi" });
      const stats = await client.getStats({ range: "7d" });
      assert.equal(stats.runs, 3);
      assert.equal(stats.failures, 1);
      assert.equal(stats.running, 0);
      assert.equal(stats.waiting, 0);
      assert.equal(stats.totalTokens, 2 * first.usage.totalTokens);
      assert.equal(stats.costDollars?.toFixed(9), (2 * (first.costDollars ?? 0)).toFixed(9));
      assert.equal(stats.unpricedRuns, 0);
      assert.ok((stats.p95DurationMs ?? -1) >= 0);
      assert.equal(stats.volume.length, 28);
      assert.deepEqual(stats.volume.at(-1), { startDate: stats.volume.at(-1)?.startDate, runs: 3, failures: 1 });
      assert.deepEqual(
        stats.agents.map(({ agentflowId, runs, failures }) => [agentflowId, runs, failures]),
        [
          [agent, 2, 0],
          [broken, 1, 1],
        ],
      );
      assert.deepEqual(
        stats.latestFailures.map(({ agentflowId }) => agentflowId),
        [broken],
      );
      assert.equal((await client.getStats({ range: "30d", agentflowId: broken })).runs, 1);
      assert.equal((await platform.send("GET", "/stats?range=1y")).status, 400);
    });

    it("show a key that is limited to agents nothing of others, and nothing where nothing ran", async (t) => {
      const { platform, agent } = await openPriced(t, databases);
      const { client } = platform;
      const empty = await client.getStats({});
      assert.deepEqual([empty.runs, empty.p95DurationMs, empty.costDollars, empty.agents], [0, null, null, []]);
      assert.equal(empty.volume.length, 24);
      const other = await agentWith(platform, llmFlow({ model: { provider: "rehearsal" } }));
      await runOnce(platform, agent);
      await runOnce(platform, other);
      const { apiKey } = await client.createApiKey({
        keyName: "limited",
        agents: [other],
        permissions: ["executions:read", "chats:write"],
      });
      const answer = await platform.send("GET", "/stats", undefined, { authorization: `Bearer ${apiKey}` });
      const seen = (await answer.json()) as typeof empty;
      assert.deepEqual(
        seen.agents.map(({ agentflowId, runs }) => [agentflowId, runs]),
        [[other, 1]],
      );
      assert.equal(seen.runs, 1);
      assert.equal(seen.costDollars, null);
    });
  });
});
