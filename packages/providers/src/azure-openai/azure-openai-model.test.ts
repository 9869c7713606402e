import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createModelResolver } from "../model-resolver.ts";
import { ask, startModel } from "../testing/bench.ts";
import { httpOver } from "../testing/model-http.ts";
import type { ScriptStep } from "../testing/script-step.ts";
import { azureOpenAi } from "./azure-openai.ts";
import { azureFormat } from "./testing/wire.ts";

/** The address and the key of what is sent with a credential. */
async function sentWith(stored: Record<string, string>, reference: { baseUrl?: string; model?: string } = {}) {
  const sent: { url: string; key: string | null; body: { model: string } }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push({
      url: request.url,
      key: request.headers.get("api-key"),
      body: (await request.json()) as { model: string },
    });
    return Response.json({ error: { message: "not in a test" } }, { status: 400 });
  };
  const resolver = createModelResolver({ defaults: {}, readCredential: async () => stored, http: httpOver(fetch) });
  const model = await resolver.resolve({ provider: "azure-openai", credential: "c", ...reference });
  await assert.rejects(ask(model), { code: "model-invalid-request" });
  return sent[0];
}

test("a credential of an existing client names the resource, the deployment and the API's version", async () => {
  const stored = {
    azureOpenAIApiKey: "a-key",
    azureOpenAIApiInstanceName: "Our-Resource",
    azureOpenAIApiDeploymentName: "chat",
    azureOpenAIApiVersion: "2025-01-01-preview",
  };
  assert.deepEqual(await sentWith(stored, { model: "gpt-4o" }), {
    url: "https://our-resource.openai.azure.com/openai/deployments/chat/chat/completions?api-version=2025-01-01-preview",
    key: "a-key",
    body: { model: "chat", messages: [{ role: "user", content: "Hi" }] },
  });
});

test("the address may be any form of Azure's, and without a deployment the model's name is that of one", async () => {
  const dated = "/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21";
  const cases = [
    ["https://r.openai.azure.com/", `https://r.openai.azure.com${dated}`],
    ["https://r.openai.azure.com/openai", `https://r.openai.azure.com${dated}`],
    ["https://r.openai.azure.com/openai/deployments", `https://r.openai.azure.com${dated}`],
    [
      "https://r.openai.azure.com/openai/deployments/own",
      `https://r.openai.azure.com${dated.replace("my%20gpt", "own")}`,
    ],
    ["https://r.services.ai.azure.com/openai/v1", "https://r.services.ai.azure.com/openai/v1/chat/completions"],
  ] as const;
  for (const [baseUrl, url] of cases) {
    const sent = await sentWith({ apiKey: "a-key" }, { baseUrl, model: "my gpt" });
    assert.deepEqual([sent?.url, sent?.body.model], [url, "my gpt"], baseUrl);
  }
});

test("a name that is no resource's is not made an address", () => {
  for (const instanceName of ["evil.example/", "a.b", "https://r", "", " "]) {
    assert.equal(azureOpenAi.addressOf?.({ instanceName }), undefined, instanceName);
  }
});

function start(t: TestContext, model: string, ...script: ScriptStep[]) {
  return startModel(t, { chat: azureOpenAi.chat, format: azureFormat, model, apiKey: "a-key" }, ...script);
}

test("models that reason are asked in their own words", async (t) => {
  const { model, server } = await start(t, "gpt-5-mini", { text: "ok" });
  await ask(model, { parameters: { maxTokens: 9, temperature: 1 } });
  const body = server.requests[0]?.body;
  assert.deepEqual([body?.max_completion_tokens, body?.max_tokens, body?.temperature], [9, undefined, undefined]);
});

test("a filtered question, one that is too long, and a busy deployment are told apart, with Azure's words", async (t) => {
  const cases = [
    [400, { code: "content_filter", message: "The response was filtered." }, "model-invalid-request"],
    [
      400,
      { code: "context_length_exceeded", message: "This model's maximum context length is 8192 tokens." },
      "model-invalid-request",
    ],
    [401, { code: "401", message: "Access denied due to invalid subscription key." }, "model-unauthorized"],
    [404, { code: "DeploymentNotFound", message: "The API deployment does not exist." }, "model-invalid-request"],
    [429, { code: "429", message: "Requests have exceeded the rate limit." }, "model-rate-limited"],
  ] as const;
  for (const [status, error, code] of cases) {
    const { model } = await start(t, "gpt-4o", { status, body: { error }, headers: { "retry-after": "8" } });
    const upstream = { status, retryAfterSeconds: 8 };
    const message = code === "model-invalid-request" ? new RegExp(error.message) : /./;
    await assert.rejects(ask(model), { code, upstream, message });
  }
});

test("a stream that begins with the verdict of the filter, without a choice, is read", async (t) => {
  const event = (fields: object) => `data: ${JSON.stringify({ model: "", ...fields })}\n\n`;
  const { model } = await start(t, "gpt-4o", {
    chunks: [
      event({ choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] }),
      event({ choices: [{ index: 0, delta: { content: "Hel" }, finish_reason: null }] }),
      event({ choices: [{ index: 0, delta: {}, finish_reason: "content_filter" }] }),
      "data: [DONE]\n\n",
    ],
  });
  const { text, finishReason } = await ask(model, { onText: () => undefined });
  assert.deepEqual([text, finishReason], ["Hel", "content-filter"]);
});
