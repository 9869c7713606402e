import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createEgressClient, createSecretVault } from "@weft/egress";
import type { ModelCall } from "@weft/engine/ports/chat-model";
import { createModelResolver } from "../model-resolver.ts";
import { ask, startModel, startVendor } from "../testing/bench.ts";
import { httpOver } from "../testing/model-http.ts";
import type { ScriptStep } from "../testing/script-step.ts";
import { createScriptedEmbeddingServer } from "../testing/scripted-embedding-server.ts";
import { toTestVector } from "../testing/test-vectors.ts";
import { bedrock } from "./bedrock.ts";
import { converseFormat, toEvent, toException } from "./testing/converse-format.ts";
import { titanFormat } from "./testing/wire.ts";

const subject = { chat: bedrock.chat, format: converseFormat, model: "amazon.nova-lite-v1:0", apiKey: "a-key" };
const start = (t: TestContext, ...script: ScriptStep[]) => startModel(t, subject, ...script);
const secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

test("the keys of an existing client sign requests and are not sent, and only for hosts that they are bound to", async (t) => {
  const server = await startVendor(t, converseFormat, { text: "ok" }, { status: 403, body: { message: secret } });
  const { host } = new URL(server.url);
  const vault = createSecretVault();
  const egress = createEgressClient({ allow: [host], vault });
  t.after(egress.close);
  const bind = (name: string, value: string, hosts: string[]) =>
    vault.placeholderFor(name, { value, name: "AWS", hosts });
  const stored = (hosts: string[]) => ({
    awsKey: "AKIDEXAMPLE",
    awsSecret: bind(`secret ${hosts}`, secret, hosts),
    awsSession: bind(`session ${hosts}`, "a-session-token", hosts),
  });
  const credentials: Record<string, Record<string, string>> = {
    bound: stored([host]),
    elsewhere: stored(["aws.example"]),
  };
  const resolver = createModelResolver({ defaults: {}, readCredential: async (id) => credentials[id], http: egress });
  const reference = { provider: "bedrock", model: "m", baseUrl: server.url };
  const model = await resolver.resolve({ ...reference, credential: "bound" });
  assert.equal((await ask(model)).text, "ok");
  const headers = server.requests[0]?.headers ?? {};
  assert.equal(headers["x-amz-security-token"], "a-session-token");
  assert.match(
    headers.authorization ?? "",
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/bedrock\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$/,
  );
  assert.ok(!JSON.stringify(server.requests).includes(secret));
  await assert.rejects(ask(model), (error: Error) => !error.message.includes(secret));
  const other = await resolver.resolve({ ...reference, credential: "elsewhere" });
  await assert.rejects(ask(other), { code: "credential-host" });
  assert.equal(server.count(), 2);
});

test("a region is an address, of the credential or of the flow, and signs for itself", async () => {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { url, headers } = new Request(input, init);
    sent.push(`${url} ${/\d{8}\/([^/]+)/.exec(headers.get("authorization") ?? "")?.[1]}`);
    return Response.json({ message: "not in a test" }, { status: 400 });
  };
  const keys = { accessKeyId: "A", apiKey: "s" };
  const credentials: Record<string, Record<string, string>> = {
    plain: keys,
    german: { ...keys, region: "eu-central-1" },
  };
  const resolver = createModelResolver({
    defaults: {},
    readCredential: async (id) => credentials[id],
    http: httpOver(fetch),
  });
  const baseUrl = "https://bedrock-runtime.ap-south-1.amazonaws.com";
  const own = [{ credential: "plain" }, { credential: "german" }, { credential: "plain", baseUrl }];
  for (const reference of own) {
    const model = await resolver.resolve({ provider: "bedrock", model: "a.b-v1:0", ...reference });
    await assert.rejects(ask(model), { code: "model-invalid-request" });
  }
  const path = "/model/a.b-v1%3A0/converse";
  assert.deepEqual(sent, [
    `https://bedrock-runtime.us-east-1.amazonaws.com${path} us-east-1`,
    `https://bedrock-runtime.eu-central-1.amazonaws.com${path} eu-central-1`,
    `${baseUrl}${path} ap-south-1`,
  ]);
  assert.equal(bedrock.addressOf?.({ region: "evil.example/" }), undefined);
});

const schema = { type: "object", properties: { city: { type: "string" } } };
const look = { name: "look", description: "Looks", parameters: schema };

for (const onText of [undefined, () => undefined]) {
  const label = onText ? "streamed" : "whole";
  test(`an answer in JSON comes by a tool and is the text, ${label}`, async (t) => {
    const { model, server } = await start(t, {
      toolCalls: [{ id: "a", name: "answer_in_json", arguments: { city: "Oslo" } }],
      text: "Here it is.",
    });
    const { text, toolCalls, finishReason } = await ask(model, {
      responseSchema: { name: "answer", schema },
      ...(onText && { onText }),
    });
    assert.deepEqual([JSON.parse(text), toolCalls, finishReason], [{ city: "Oslo" }, [], "stop"]);
    assert.deepEqual(server.requests[0]?.body.toolConfig?.toolChoice, { tool: { name: "answer_in_json" } });
  });

  test(`what a guardrail stopped says so, ${label}`, async (t) => {
    const { model } = await start(t, { text: "No.", finishReason: "guardrail_intervened" });
    assert.equal((await ask(model, onText && { onText })).finishReason, "content-filter");
  });
}

test("with tools a model that is to answer in JSON may call them first", async (t) => {
  const { model, server } = await start(t, { toolCalls: [{ id: "a", name: "look", arguments: {} }] });
  const { toolCalls, finishReason } = await ask(model, { tools: [look], responseSchema: { name: "answer", schema } });
  assert.deepEqual([toolCalls.length, finishReason], [1, "tool-calls"]);
  assert.deepEqual(server.requests[0]?.body.toolConfig?.toolChoice, { any: {} });
});

test("a conversation with calls keeps their tools when no tool is offered, and turns alternate", async (t) => {
  const { model, server } = await start(t, { text: "ok" });
  const messages: ModelCall["messages"] = [
    { role: "user", content: "Look" },
    { role: "user", content: "now" },
    { role: "assistant", content: " ", toolCalls: [{ id: "a", name: "look", arguments: "oops" }] },
    { role: "tool", toolCallId: "a", toolName: "look", content: "" },
    { role: "assistant", content: "Rain." },
  ];
  await ask(model, { messages });
  const { body } = server.requests[0] ?? {};
  assert.deepEqual(body?.messages, [
    { role: "user", content: [{ text: "Look" }, { text: "now" }] },
    { role: "assistant", content: [{ toolUse: { toolUseId: "a", name: "look", input: {} } }] },
    { role: "user", content: [{ toolResult: { toolUseId: "a", content: [{ text: " " }], status: "success" } }] },
    { role: "assistant", content: [{ text: "Rain." }] },
    { role: "user", content: [{ text: "Continue." }] },
  ]);
  assert.deepEqual(
    body?.toolConfig?.tools.map(({ toolSpec }) => toolSpec.name),
    ["look"],
  );
  assert.deepEqual(body?.system, [{ text: "Answer in words. Do not call a tool." }]);
});

test("frames may be cut anywhere, and one whose checksum is wrong is no answer", async (t) => {
  const stop = toEvent("messageStop", { stopReason: "end_turn" });
  const bytes = Buffer.concat([toEvent("contentBlockDelta", { delta: { text: "Grüße 🎉" } }), stop]);
  const broken = Buffer.from(bytes);
  broken[40] = (broken[40] ?? 0) ^ 1;
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7));
  const { model } = await start(t, { chunks: pieces }, { chunks: [broken] }, { chunks: [stop, bytes.subarray(0, 9)] });
  assert.equal((await ask(model, { onText: () => undefined })).text, "Grüße 🎉");
  await assert.rejects(ask(model, { onText: () => undefined }), { code: "model-invalid-answer" });
  await assert.rejects(ask(model, { onText: () => undefined }), { code: "model-invalid-answer" });
});

test("failures of the service and of the model are told apart, in answers and in streams", async (t) => {
  const answers: [number, string][] = [
    [403, "model-unauthorized"],
    [408, "model-unavailable"],
    [424, "model-unavailable"],
    [429, "model-rate-limited"],
    [400, "model-invalid-request"],
  ];
  for (const [status, code] of answers) {
    const { model } = await start(t, { status, body: { message: "It failed." } });
    await assert.rejects(ask(model), { code });
  }
  const streams: [string, string][] = [
    ["throttlingException", "model-rate-limited"],
    ["modelStreamErrorException", "model-unavailable"],
    ["validationException", "model-invalid-request"],
  ];
  for (const [type, code] of streams) {
    const { model } = await start(t, { chunks: [toException(type, "It failed.")] });
    await assert.rejects(ask(model, { onText: () => undefined }), { code });
  }
});

test("a picture's address, or one of another format, is not sent", async (t) => {
  const { model, server } = await start(t);
  const image = (mediaType: string, data: Uint8Array | URL) => ({ type: "image", mediaType, data }) as const;
  for (const part of [image("image/png", new URL("https://a.example/b.png")), image("image/tiff", new Uint8Array(1))]) {
    const pending = ask(model, { messages: [{ role: "user", content: [part] }] });
    await assert.rejects(pending, { code: "model-invalid-request" });
  }
  assert.equal(server.count(), 0);
});

test("Titan is asked for one text at a time, and vectors keep their order", async (t) => {
  const server = await createScriptedEmbeddingServer({ format: titanFormat });
  t.after(server.close);
  const options = { model: "amazon.titan-embed-text-v2:0", apiKey: "k", baseUrl: server.url, fetch: globalThis.fetch };
  const model = await bedrock.embeddings.create({ ...options, dimensions: 256 });
  const texts = Array.from({ length: 11 }, (_, index) => `text number ${index}`);
  const signal = new AbortController().signal;
  assert.deepEqual(
    await model.embed({ texts, purpose: "document", signal }),
    texts.map((text) => toTestVector(text)),
  );
  assert.equal(server.count(), 11);
  assert.deepEqual(server.requests[0]?.body, { inputText: "text number 0", dimensions: 256 });
});

for (const onText of [undefined, () => undefined]) {
  test(`Claude on Bedrock gets its thoughts back, ${onText ? "streamed" : "whole"}`, async (t) => {
    const claude = { ...subject, model: "anthropic.claude-sonnet-4-5-20250929-v1:0" };
    const thought = { text: "I should look.", signature: "c2VhbA==" };
    const step = { thought, text: "I look.", toolCalls: [{ id: "a", name: "look", arguments: {} }] };
    const { model, server } = await startModel(t, claude, step, { text: "ok" }, { text: "{}" });
    const tools = [{ name: "look", description: "Looks", parameters: { type: "object" } }];
    const parameters = { thinkingTokens: 2_000, maxTokens: 500, stop: ["END"] };
    const call = { tools, parameters, ...(onText && { onText }) };
    const { text, toolCalls } = await ask(model, call);
    assert.equal(text, "I look.", "thoughts are not part of the answer");
    const messages: ModelCall["messages"] = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: text, toolCalls },
      { role: "tool", toolCallId: "a", toolName: "look", content: "Rain" },
    ];
    await ask(model, { ...call, messages });
    await ask(model, { parameters, responseSchema: { name: "a", schema: { type: "object" } } });
    const [first, second, third] = server.requests.map(({ body }) => body);
    assert.deepEqual(first?.additionalModelRequestFields, { thinking: { type: "enabled", budget_tokens: 2_000 } });
    assert.deepEqual(first?.inferenceConfig, { maxTokens: 2_500, stopSequences: ["END"] });
    assert.deepEqual(second?.messages[1]?.content, [
      { reasoningContent: { reasoningText: thought } },
      { text: "I look." },
      { toolUse: { toolUseId: "a", name: "look", input: {} } },
    ]);
    assert.equal(third?.additionalModelRequestFields, undefined, "it cannot think and be made to answer by a tool");
  });
}
