import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const unknownId = "11111111-2222-4333-8444-555555555555";

async function createCredential({ client }: TestPlatform, baseUrl: string): Promise<string> {
  const plainDataObj = { apiKey: "sk-chosen", baseUrl };
  return (await client.createCredential({ name: "Model", credentialName: "openai-compatible", plainDataObj })).id;
}

async function startModel(t: Parameters<typeof openTestPlatform>[0]) {
  const model = await createScriptedOpenAiServer({ script: () => ({ text: "Hello from the chosen model" }) });
  return { ...model, host: new URL(model.url).host, stopAfter: () => t.after(() => model.close()) };
}

await onTestDatabase((databases) => {
  describe("the default model", () => {
    it("is that of the configuration until someone chooses another", async (t) => {
      const { client } = await openTestPlatform(t, databases, { ANTHROPIC_API_KEY: "sk-ant", DEFAULT_MODEL: "claude" });
      const configured = { provider: "anthropic", model: "claude", credential: "", source: "configuration" };
      assert.deepEqual(await client.getDefaultModel(), configured);
      const chosen = { provider: "rehearsal", model: "", credential: "", source: "chosen" };
      assert.deepEqual(await client.chooseDefaultModel({ provider: "rehearsal" }), chosen);
      assert.deepEqual(await client.getDefaultModel(), chosen);
      const providers = await client.listModelProviders();
      assert.deepEqual(
        providers.filter(({ isDefault }) => isDefault).map(({ name }) => name),
        ["rehearsal"],
      );
      assert.deepEqual(await client.resetDefaultModel(), configured);
      assert.deepEqual(await client.getDefaultModel(), configured);
    });

    it("answers flows that name none, with its credential, from the next run on", async (t) => {
      const model = await startModel(t);
      const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: model.host });
      model.stopAfter();
      const agent = await agentWith(platform, llmFlow());
      const named = await agentWith(platform, llmFlow({ model: { provider: "rehearsal" } }));
      const ask = async (id: string) => (await platform.client.createPrediction({ id }, { question: "Hi" })).text;
      assert.match(await ask(agent), /rehearsal model/);
      assert.equal((await platform.client.getChatConfig({ id: agent })).isRehearsal, true);

      const credential = await createCredential(platform, model.url);
      await platform.client.chooseDefaultModel({ provider: "openai-compatible", model: "m-1", credential });
      assert.equal(await ask(agent), "Hello from the chosen model");
      assert.equal(model.requests[0]?.body.model, "m-1");
      assert.equal(model.requests[0]?.headers.authorization, "Bearer sk-chosen");
      assert.match(await ask(named), /rehearsal model/);
      assert.equal((await platform.client.getChatConfig({ id: agent })).isRehearsal, false);
    });

    it("refuses providers and credentials that do not exist, and stays as it was", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const refused = [
        [{ provider: "nobody" }, /there is no provider named nobody/],
        [{ provider: "openai", credential: unknownId }, /there is no credential with the id/],
        [{ provider: "" }, /must not be empty/],
        [{ provider: "openai", credential: "x" }, /credential/],
        [{}, /provider/],
      ] as const;
      for (const [body, reason] of refused) {
        const response = await platform.send("PUT", "/models/default", body);
        assert.equal(response.status, 400);
        assert.match(await response.text(), reason);
      }
      assert.equal((await platform.client.getDefaultModel()).source, "configuration");
    });

    it("is for those who may write credentials", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const { apiKey } = await platform.client.createApiKey({ keyName: "reader", permissions: ["agents:read"] });
      const bearer = { authorization: `Bearer ${apiKey}` };
      assert.equal((await platform.send("GET", "/models/default", undefined, bearer)).status, 200);
      assert.equal((await platform.send("PUT", "/models/default", { provider: "rehearsal" }, bearer)).status, 403);
      assert.equal((await platform.send("DELETE", "/models/default", undefined, bearer)).status, 403);
      assert.equal((await platform.send("POST", "/models/test", { provider: "rehearsal" }, bearer)).status, 403);
    });
  });

  describe("the test of a connection", () => {
    it("says what the model answered", async (t) => {
      const model = await startModel(t);
      const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: model.host });
      model.stopAfter();
      const credential = await createCredential(platform, model.url);
      const trial = await platform.client.testModel({ provider: "openai-compatible", model: "m-1", credential });
      assert.equal(trial.ok, true);
      assert.equal(trial.message, "Hello from the chosen model");
      assert.match(trial.model, /m-1$/);
      assert.ok(trial.durationMs >= 0);
    });

    it("says why there was no answer, without the key", async (t) => {
      const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: "127.0.0.1:1" });
      const credential = await createCredential(platform, "http://127.0.0.1:1/v1");
      const dead = await platform.client.testModel({ provider: "openai-compatible", credential });
      assert.equal(dead.ok, false);
      assert.doesNotMatch(JSON.stringify(dead), /sk-chosen/);
      const keyless = await platform.client.testModel({ provider: "openai" });
      assert.equal(keyless.ok, false);
      assert.match(keyless.message, /needs an API key/);
      const unknown = await platform.client.testModel({ provider: "nobody" });
      assert.match(unknown.message, /there is no provider named nobody/);
    });
  });
});
