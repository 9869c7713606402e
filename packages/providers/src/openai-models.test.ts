import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import type { ChatModel, ModelCall } from "@weft/engine/ports/chat-model";
import { WeftError } from "@weft/schema";
import { openai } from "./openai/openai.ts";
import { openAiCompatible } from "./openai-compatible/openai-compatible.ts";
import { httpOver, httpTo } from "./testing/model-http.ts";
import type { ScriptStep } from "./testing/script-step.ts";
import { createScriptedOpenAiServer, type ScriptedOpenAiServer } from "./testing/scripted-openai-server.ts";

const apiKey = "sk-test-0123456789abcdef";
const servers: ScriptedOpenAiServer[] = [];
after(() => Promise.all(servers.map((server) => server.close())));

/** Both adapters must behave alike: every case runs on each, streamed and not. */
const chatProviders = { openai: openai.chat, "openai-compatible": openAiCompatible.chat };
const adapters = ["openai", "openai-compatible"] as const;
const modes = ["json", "stream"] as const;
type Subject = {
  label: string;
  mode: (typeof modes)[number];
  start(...script: ScriptStep[]): Promise<{ model: ChatModel; server: ScriptedOpenAiServer }>;
  ask(model: ChatModel, call?: Partial<ModelCall>): ReturnType<ChatModel["answer"]>;
};

const subjects: Subject[] = adapters.flatMap((adapter) =>
  modes.map((mode) => ({
    label: `${adapter}, ${mode}`,
    mode,
    async start(...script) {
      const server = await createScriptedOpenAiServer({ script });
      servers.push(server);
      return { server, model: await createModel(adapter, server.url) };
    },
    ask: (model, call = {}) =>
      model.answer({
        messages: [{ role: "user", content: "Hi" }],
        signal: new AbortController().signal,
        ...(mode === "stream" ? { onText: () => undefined } : {}),
        ...call,
      }),
  })),
);

function createModel(adapter: (typeof adapters)[number], baseUrl: string): Promise<ChatModel> {
  return chatProviders[adapter].create({ model: "test-model", apiKey, baseUrl, ...httpTo(baseUrl) });
}

async function failure(answer: Promise<unknown>): Promise<WeftError> {
  const error = await answer.then(
    () => assert.fail("it answered"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WeftError, `not a WeftError: ${String(error)}`);
  assert.ok(!JSON.stringify([error.message, error.errors]).includes(apiKey), "the key is in the message");
  return error;
}

const weather = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

for (const { label, mode, start, ask } of subjects) {
  test(`${label}: text, usage and the request`, async () => {
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    const { model, server } = await start({ text: "Grüße aus 東京 🎉", usage });
    const answer = await ask(model, { parameters: { temperature: 0.2, maxTokens: 50, topP: 0.9 } });
    assert.deepEqual(answer, {
      text: "Grüße aus 東京 🎉",
      toolCalls: [],
      finishReason: "stop",
      usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 },
      model: "scripted",
    });
    const [request] = server.requests;
    assert.equal(request?.headers.authorization, `Bearer ${apiKey}`);
    assert.equal(request?.body.model, "test-model");
    assert.deepEqual(request?.body.messages, [{ role: "user", content: "Hi" }]);
    assert.equal(request?.body.stream === true, mode === "stream");
    const { temperature, max_tokens, top_p } = request?.body ?? {};
    assert.deepEqual({ temperature, max_tokens, top_p }, { temperature: 0.2, max_tokens: 50, top_p: 0.9 });
  });

  test(`${label}: parallel tool calls, arguments in fragments`, async () => {
    const toolCalls = [
      { id: "a", name: "get_weather", arguments: { city: "São Paulo" } },
      { id: "b", name: "get_weather", arguments: '{"city": "Oslo", "note": "\\"quoted\\""}' },
    ];
    const { model, server } = await start({ toolCalls, pieces: 7 });
    const answer = await ask(model, { tools: [weather] });
    assert.equal(answer.finishReason, "tool-calls");
    assert.deepEqual(answer.toolCalls, [
      { id: "a", name: "get_weather", arguments: '{"city":"São Paulo"}' },
      { id: "b", name: "get_weather", arguments: '{"city": "Oslo", "note": "\\"quoted\\""}' },
    ]);
    assert.deepEqual(server.requests[0]?.body.tools, [{ type: "function", function: weather }]);
    assert.equal(server.requests[0]?.body.tool_choice, "auto");
  });

  test(`${label}: the conversation keeps its tool calls, results and images`, async () => {
    const { model, server } = await start({ text: "ok" });
    await ask(model, {
      tools: [weather],
      toolChoice: "none",
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) },
            { type: "image", mediaType: "image/png", data: new URL("https://example.org/a.png") },
          ],
        },
        { role: "assistant", content: "", toolCalls: [{ id: "a", name: "get_weather", arguments: '{ "city":1 }' }] },
        { role: "tool", toolCallId: "a", toolName: "get_weather", content: "city must be a text", isError: true },
      ],
    });
    const [system, user, assistant, tool] = server.requests[0]?.body.messages ?? [];
    assert.deepEqual(system, { role: "system", content: "Be brief." });
    assert.deepEqual(user?.content, [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
      { type: "image_url", image_url: { url: "https://example.org/a.png" } },
    ]);
    assert.deepEqual(assistant?.tool_calls, [
      { id: "a", type: "function", function: { name: "get_weather", arguments: '{ "city":1 }' } },
    ]);
    assert.deepEqual(tool, { role: "tool", tool_call_id: "a", content: "city must be a text" });
    assert.equal(server.requests[0]?.body.tool_choice, "none");
  });

  test(`${label}: a response schema becomes response_format, strict only when it can be`, async () => {
    const { model, server } = await start({ text: "{}" }, { text: "{}" });
    const open = { type: "object", properties: { a: { type: "string" } } };
    const closed = { ...open, required: ["a"], additionalProperties: false };
    await ask(model, { responseSchema: { name: "my answer!", schema: open } });
    await ask(model, { responseSchema: { name: "answer", schema: closed } });
    const formats = server.requests.map(({ body }) => body.response_format);
    assert.deepEqual(formats, [
      { type: "json_schema", json_schema: { name: "my_answer_", strict: false, schema: open } },
      { type: "json_schema", json_schema: { name: "answer", strict: true, schema: closed } },
    ]);
  });

  const refusals: [number, object, string][] = [
    [401, { code: "model-unauthorized", retryable: false }, `Incorrect API key provided: ${apiKey}`],
    [403, { code: "model-unauthorized", retryable: false }, "no access"],
    [429, { code: "model-rate-limited", retryable: true }, "slow down"],
    [400, { code: "model-invalid-request", retryable: false }, `bad temperature ${apiKey}`],
    [404, { code: "model-invalid-request", retryable: false }, "no such model"],
    [500, { code: "model-unavailable", retryable: true }, `oops ${apiKey}`],
    [503, { code: "model-unavailable", retryable: true }, "overloaded"],
  ];
  test(`${label}: statuses become codes, with the vendor's words but without the key`, async () => {
    for (const [status, expected, message] of refusals) {
      const { model, server } = await start({
        status,
        body: { error: { message, type: "x", param: null, code: null } },
      });
      const error = await failure(ask(model));
      assert.deepEqual({ code: error.code, retryable: error.retryable }, expected, `status ${status}`);
      assert.deepEqual(error.upstream, { status });
      assert.equal(server.count(), 1, "it never retries");
      if (status === 400) assert.match(error.message, /\(status 400\): bad temperature \[secret\]/);
    }
  });

  test(`${label}: Retry-After in seconds, as a date, in milliseconds`, async () => {
    const date = { date: "Tue, 03 Mar 2026 10:00:00 GMT", "retry-after": "Tue, 03 Mar 2026 10:00:42 GMT" };
    const cases: [Record<string, string>, number | undefined][] = [
      [{ "retry-after": "17" }, 17],
      [date, 42],
      [{ "retry-after-ms": "1500", "retry-after": "9" }, 2],
      [{ "retry-after": "soon" }, undefined],
    ];
    for (const [headers, seconds] of cases) {
      const { model } = await start({ status: 429, headers, body: "slow down" });
      const error = await failure(ask(model));
      assert.equal(error.upstream?.retryAfterSeconds, seconds);
    }
  });

  test(`${label}: a spent quota is not retryable`, async () => {
    const body = {
      error: { message: "You exceeded your quota", type: "insufficient_quota", code: "insufficient_quota" },
    };
    const { model } = await start({ status: 429, body });
    const error = await failure(ask(model));
    assert.deepEqual(
      { code: error.code, retryable: error.retryable },
      { code: "model-rate-limited", retryable: false },
    );
  });

  test(`${label}: other servers' error bodies`, async () => {
    const bodies = [
      { error: "model 'x' not found" },
      { detail: "model 'x' not found" },
      { message: "model 'x' not found" },
    ];
    for (const body of bodies) {
      const { model } = await start({ status: 404, body });
      assert.match((await failure(ask(model))).message, /model 'x' not found/);
    }
    const { model } = await start({ status: 502, body: "<html>Bad gateway</html>" });
    const error = await failure(ask(model));
    assert.equal(error.code, "model-unavailable");
    assert.match(error.message, /status 502\): Bad Gateway/);
  });

  test(`${label}: answers that cannot be understood`, async () => {
    const garbage = [
      "{ not json",
      "",
      '{"object":"chat.completion","choices":[]}',
      '{"hello":"world"}',
      "<html>login</html>",
    ];
    for (const text of garbage) {
      const { model } = await start({ garbage: text });
      const error = await failure(ask(model));
      assert.equal(error.code, "model-invalid-answer", text);
      assert.equal(error.retryable, true);
      assert.ok(!error.message.includes("login"));
    }
  });

  test(`${label}: a server that is not there`, async () => {
    const { model, server } = await start();
    await server.close();
    servers.splice(servers.indexOf(server), 1);
    const error = await failure(ask(model));
    assert.equal(error.code, "model-unreachable");
    assert.match(error.message, /could not be reached: .*connection refused\./);
  });

  test(`${label}: an abort ends a hanging call at once, with the signal's reason`, async () => {
    const { model, server } = await start({ hang: true });
    const controller = new AbortController();
    const reason = new Error("cancelled by the user");
    const answer = ask(model, { signal: controller.signal });
    while (server.count() === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    await assert.rejects(answer, reason);
    await assert.rejects(ask(model, { signal: AbortSignal.abort(reason) }), reason);
    assert.equal(server.count(), 1, "an aborted call is not sent");
  });

  test(`${label}: what egress forbids passes through, what it cannot reach is unreachable`, async () => {
    const adapter = label.startsWith("openai,") ? "openai" : "openai-compatible";
    const create = (error: WeftError) =>
      chatProviders[adapter].create({
        model: "m",
        apiKey,
        baseUrl: "http://10.0.0.1/v1",
        ...httpOver(() => Promise.reject(error)),
      });
    const refused = new WeftError("egress-refused", { params: { url: "http://10.0.0.1", reason: "private address" } });
    assert.equal(await failure(ask(await create(refused))), refused);
    const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const params = { url: "http://10.0.0.1", reason: "connection refused" };
    const failed = await failure(ask(await create(new WeftError("egress-failed", { params, cause }))));
    assert.equal(failed.code, "model-unreachable");
    assert.match(failed.message, /connection refused/);
    const closed = new WeftError("egress-failed", { params: { ...params, reason: "closed" }, cause });
    const body = new ReadableStream({ pull: (controller) => controller.error(closed) });
    const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
    const broken = await chatProviders[adapter].create({
      model: "m",
      apiKey,
      baseUrl: "http://10.0.0.1/v1",
      ...httpOver(fetch),
    });
    assert.equal((await failure(ask(broken))).code, "model-interrupted");
  });
}

for (const { label, start, ask } of subjects.filter(({ mode }) => mode === "stream")) {
  test(`${label}: text comes piece by piece`, async () => {
    const { model } = await start({ text: "one two three" });
    const pieces: string[] = [];
    const answer = await ask(model, { onText: (text) => pieces.push(text) });
    assert.deepEqual(pieces, ["one", " two", " three"]);
    assert.equal(answer.text, "one two three");
  });

  test(`${label}: a stream that is cut, in text or in arguments, is no answer`, async () => {
    const text: ScriptStep = { text: "one two three four", cutStreamAfter: 3 };
    const call: ScriptStep = {
      toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }],
      pieces: 4,
      cutStreamAfter: 4,
    };
    for (const step of [text, call, { ...text, cutStreamAfter: 0 }]) {
      const { model } = await start(step);
      const error = await failure(ask(model, { tools: [weather] }));
      assert.equal(error.code, "model-interrupted");
      assert.match(error.message, /ended before it was complete/);
    }
  });

  test(`${label}: a stream that ends politely but early is no answer`, async () => {
    const { model } = await start({ chunks: [toEvent({ content: "Hel" }), "data: [DONE]\n\n"] });
    assert.equal((await failure(ask(model))).code, "model-invalid-answer");
  });

  test(`${label}: characters split across chunks stay whole`, async () => {
    const bytes = Buffer.from(`${toEvent({ content: "Grüße 東京 🎉" })}${toEvent({}, "stop")}data: [DONE]\n\n`);
    const { model } = await start({ chunks: Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)) });
    assert.equal((await ask(model)).text, "Grüße 東京 🎉");
  });

  test(`${label}: an error inside a stream of 200 is the vendor's error`, async () => {
    const frame = (error: object) => `data: ${JSON.stringify({ error })}\n\n`;
    const overloaded = { message: `overloaded ${apiKey}`, type: "server_error", code: null };
    const late = await start({ chunks: [toEvent({ content: "Hel" }), frame(overloaded)] });
    const error = await failure(ask(late.model));
    assert.equal(error.code, "model-unavailable");
    assert.match(error.message, /overloaded \[secret\]/);
    const early = await start({
      chunks: [frame({ message: "slow down", type: "rate_limit_error", code: "rate_limit_exceeded" })],
    });
    assert.equal((await failure(ask(early.model))).code, "model-rate-limited");
    const words: [type: string, code: string, status: number][] = [
      ["permission_error", "model-unauthorized", 403],
      ["not_found_error", "model-invalid-request", 404],
      ["overloaded_error", "model-unavailable", 503],
      ["timeout", "model-unavailable", 504],
    ];
    for (const [type, code, status] of words) {
      const { model } = await start({ chunks: [frame({ message: "no", type })] });
      const { code: found, upstream } = await failure(ask(model));
      assert.deepEqual([found, upstream], [code, { status }], type);
    }
    const besides = {
      choices: [{ index: 0, delta: {}, finish_reason: "error" }],
      error: { message: "late", code: 502 },
    };
    const { model } = await start({ chunks: [`data: ${JSON.stringify(besides)}\n\n`] });
    assert.equal((await failure(ask(model))).upstream?.status, 502);
  });

  test(`${label}: an unreadable event in a stream is no answer`, async () => {
    const { model } = await start({ chunks: [toEvent({ content: "Hel" }), "data: {oops\n\n", toEvent({}, "stop")] });
    assert.equal((await failure(ask(model))).code, "model-invalid-answer");
  });

  test(`${label}: an abort in the middle of a stream ends it with the reason`, async () => {
    const { model } = await start({ hang: true, afterText: "Hello there" });
    const controller = new AbortController();
    const reason = new Error("enough");
    const answer = ask(model, { signal: controller.signal, onText: () => controller.abort(reason) });
    await assert.rejects(answer, reason);
  });

  test(`${label}: a listener that throws is a bug and stays one`, async () => {
    const { model } = await start({ text: "one two" });
    const bug = new TypeError("a bug");
    await assert.rejects(
      ask(model, {
        onText: () => {
          throw bug;
        },
      }),
      bug,
    );
  });
}

test("a server without a key gets no Authorization header", async () => {
  const server = await createScriptedOpenAiServer({ script: [{ text: "hi" }] });
  servers.push(server);
  const options = { model: "m", baseUrl: server.url, ...httpTo(server.url) };
  const model = await chatProviders["openai-compatible"].create(options);
  await model.answer({ messages: [{ role: "user", content: "Hi" }], signal: new AbortController().signal });
  assert.equal(server.requests[0]?.headers.authorization, undefined);
});

test("a body that ends too soon is no answer", async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
    response.write('{"choices":[', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model = await createModel("openai", `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  const signal = new AbortController().signal;
  const error = await failure(model.answer({ messages: [{ role: "user", content: "Hi" }], signal }));
  assert.equal(error.code, "model-interrupted");
  server.close();
  server.closeAllConnections();
});

function toEvent(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
}
