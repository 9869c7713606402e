import assert from "node:assert/strict";
import { test } from "node:test";
import { chatProviders } from "@weft/providers";
import { createScriptedServer, ollamaFormat } from "@weft/providers/testing";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform } from "../testing/test-platform.ts";

type ModelProvider = {
  name: string;
  title: string;
  isDefault: boolean;
  acceptsImages: boolean;
  models: string[];
  credentialFields: { name: string; secret: boolean }[];
  speech?: { service: string; model: string; takesAddress: boolean; needsCredential: boolean };
};

await onTestDatabase((databases) => {
  test("the model providers are listed, with the one that the operator's key makes the default", async (t) => {
    const platform = await openTestPlatform(t, databases, { ANTHROPIC_API_KEY: "sk-ant-operator" });
    const response = await platform.send("GET", "/models");
    assert.doesNotMatch(await response.clone().text(), /sk-ant-operator|"aliases"|"needs"|"account"/);
    const providers = (await response.json()) as ModelProvider[];
    const shown = "acceptsImages credentialFields isDefault models name parameters summary title";
    for (const { speech: _, ...provider } of providers) {
      assert.equal(Object.keys(provider).toSorted().join(" "), shown);
    }
    const entries = providers.map(({ name, isDefault, acceptsImages }) => [name, isDefault, acceptsImages]);
    assert.deepEqual(
      entries,
      chatProviders.map(({ name, acceptsImages }) => [name, name === "anthropic", acceptsImages]),
    );
    assert.deepEqual(
      [...entries.slice(0, 5), entries.at(-1)],
      [
        ["openai", false, true],
        ["openai-compatible", false, true],
        ["anthropic", true, true],
        ["google", false, true],
        ["ollama", false, true],
        ["rehearsal", false, false],
      ],
    );
    const anthropic = providers.find(({ name }) => name === "anthropic");
    assert.deepEqual(
      anthropic?.credentialFields.map(({ name, secret }) => [name, secret]),
      [
        ["apiKey", true],
        ["baseUrl", false],
      ],
    );
    assert.ok(anthropic?.models.length);
    assert.equal((await platform.send("GET", "/models", undefined, { authorization: "" })).status, 401);
  });

  test("a provider that turns speech into text says how, and whether the operator's key does for it", async (t) => {
    const speechOf = async (env: Record<string, string>) => {
      const platform = await openTestPlatform(t, databases, env);
      const providers = (await (await platform.send("GET", "/models")).json()) as ModelProvider[];
      return providers.flatMap(({ name, speech }) => (speech === undefined ? [] : [{ name, ...speech }]));
    };
    const openai = { name: "openai", service: "openAIWhisper", model: "whisper-1", takesAddress: false };
    const compatible = { name: "openai-compatible", service: "localAISTT", model: "whisper-1", takesAddress: true };
    const groq = { name: "groq", service: "groqWhisper", model: "whisper-large-v3", takesAddress: false };
    assert.deepEqual(await speechOf({}), [
      { ...openai, needsCredential: true },
      { ...compatible, needsCredential: false },
      { ...groq, needsCredential: true },
    ]);
    // The operator's key for Groq's models is never sent to its speech service.
    const keys = await speechOf({ OPENAI_API_KEY: "sk-operator", GROQ_API_KEY: "gsk-operator" });
    assert.deepEqual(
      keys.map(({ needsCredential }) => needsCredential),
      [false, false, true],
    );
  });

  test("the server that OLLAMA_HOST names answers, though its address is private; no other does", async (t) => {
    const closed = Promise.withResolvers<() => Promise<void>>();
    t.after(async () => (await closed.promise)());
    const server = await createScriptedServer(ollamaFormat, { script: () => ({ text: "Hello from Ollama" }) });
    closed.resolve(server.close);
    const platform = await openTestPlatform(t, databases, {
      OLLAMA_HOST: new URL(server.url).host,
      DEFAULT_MODEL: "ollama/qwen3",
    });
    const ask = (id: string) => platform.send("POST", `/prediction/${id}`, { question: "Hi" });
    const answered = await ask(await agentWith(platform, llmFlow()));
    assert.equal(((await answered.json()) as { text: string }).text, "Hello from Ollama");
    assert.equal(server.requests[0]?.body.model, "qwen3");
    const model = { provider: "ollama", baseUrl: "http://127.0.0.1:9" };
    const refused = await ask(await agentWith(platform, llmFlow({ model })));
    assert.equal(refused.status, 500);
    assert.match(((await refused.json()) as { message: string }).message, /127\.0\.0\.1:9\S* is not allowed/);
  });
});
