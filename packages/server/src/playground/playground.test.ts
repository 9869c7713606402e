import assert from "node:assert/strict";
import { test } from "node:test";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import type { ModelAnswer } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform, type ScriptedPlatform } from "../testing/scripted-model.ts";

type Frame = { event: string; data: string | { code?: string; message?: string } };

async function ask(platform: ScriptedPlatform, body: object) {
  const response = await platform.send("POST", "/models/answers", body);
  assert.equal(response.status, 200, response.ok ? "" : await response.text());
  const frames = [...(await response.text()).matchAll(/^data:(.*)$/gm)].map(
    ([, json = ""]) => JSON.parse(json) as Frame,
  );
  const dataOf = (name: string) => frames.find(({ event }) => event === name)?.data;
  return {
    frames,
    answer: dataOf("answer") as unknown as ModelAnswer | undefined,
    error: dataOf("error") as { code: string; message: string } | undefined,
  };
}

const messages = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "What is a quorum?" },
];

await onTestDatabase((databases) => {
  test("a model answers outside of a run, with its time, tokens and cost, and nothing is stored", async (t) => {
    const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
    const platform = await openScriptedPlatform(t, databases, () => ({ text: "Enough members to decide.", usage }));
    await platform.json("PUT", "/prices", { prices: { "openai-compatible/scripted": { input: 10, output: 100 } } });
    const { frames, answer } = await ask(platform, { messages, parameters: { temperature: 0.2, maxTokens: 50 } });
    const words = frames.filter(({ event }) => event === "token").map(({ data }) => data);
    assert.equal(words.join(""), "Enough members to decide.");
    assert.equal(frames.at(-1)?.event, "end");
    assert.ok(answer);
    const { text, model, finishReason, usage: used, costDollars, firstTokenMs, durationMs } = answer;
    assert.deepEqual([text, model, finishReason], ["Enough members to decide.", "openai-compatible/scripted", "stop"]);
    assert.deepEqual(used, { inputTokens: 20, outputTokens: 5, totalTokens: 25 });
    assert.equal(costDollars, (20 * 10 + 5 * 100) / 1_000_000);
    assert.ok(firstTokenMs !== null && firstTokenMs <= durationMs);
    const sent = platform.model.requests[0]?.body;
    assert.deepEqual([sent?.messages, sent?.temperature], [messages, 0.2]);
    assert.deepEqual(await platform.json("GET", "/executions"), { data: [], total: 0 });
  });

  test("a model that fails, or is not there, is an error with a sentence", async (t) => {
    const platform = await openScriptedPlatform(t, databases, () => ({
      status: 401,
      body: { error: { message: "no" } },
    }));
    assert.equal((await ask(platform, { messages })).error?.code, "model-unauthorized");
    const unknown = await platform.send("POST", "/models/answers", { messages, model: { provider: "nobody" } });
    assert.equal(unknown.status, 500);
    assert.match(await unknown.text(), /model-not-configured/);
    for (const body of [
      { messages: [] },
      { messages: [{ role: "tool", content: "x" }] },
      { messages, parameters: { temperature: 9 } },
    ]) {
      assert.equal((await platform.send("POST", "/models/answers", body)).status, 422);
    }
  });

  test("a client that leaves ends the call, and one caller has half of the places", async (t) => {
    const platform = await openScriptedPlatform(t, databases, () => ({ hang: true }));
    const open = () => platform.send("POST", "/models/answers", { messages });
    const streams = await Promise.all(Array.from({ length: 16 }, open));
    assert.ok(streams.every(({ status }) => status === 200));
    assert.equal((await open()).status, 503);
    await platform.until(async () => (platform.model.count() === 16 ? true : undefined));
    await Promise.all(streams.map(({ body }) => body?.cancel()));
    await platform.until(async () => (platform.model.abandoned() === 16 ? true : undefined));
    const again = await platform.until(async () => {
      const response = await open();
      return response.status === 200 ? response : undefined;
    });
    await again.body?.cancel();
  });

  test("a credential is only sent to its own hosts, whatever address is asked for", async (t) => {
    const other = await createScriptedOpenAiServer({ script: () => ({ text: "Hello." }) });
    t.after(() => other.close());
    const env = { EGRESS_ALLOW: new URL(other.url).host };
    const platform = await openScriptedPlatform(t, databases, undefined, { env });
    const { id } = await platform.json<{ id: string }>("POST", "/credentials", {
      name: "Vendor",
      credentialName: "openAIApi",
      plainDataObj: { openAIApiKey: "sk-of-the-vendor" },
    });
    const model = { provider: "openai", model: "x", baseUrl: other.url, credential: id };
    const { error, answer } = await ask(platform, { messages, model });
    assert.equal(answer, undefined);
    assert.match(error?.message ?? "", /Vendor|credential/i);
    assert.equal(other.count(), 0);
  });
});
