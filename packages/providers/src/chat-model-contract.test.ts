import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ChatModel, ModelCall, ModelParameters } from "@weft/engine/ports/chat-model";
import { WeftError } from "@weft/schema";
import type { ChatProvider } from "./define-provider.ts";
import { parametersOf } from "./model-guards.ts";
import { chatProviders } from "./registry.ts";
import { ask as answer } from "./testing/bench.ts";
import { httpOver } from "./testing/model-http.ts";
import type { ScriptStep } from "./testing/script-step.ts";
import { type ChatWire, type StartedVendor, testKey } from "./testing/vendor-wire.ts";
import { hasOwnTest, wires } from "./testing/wires.ts";

/** A registered provider together with its vendor's wire format. */
type Vendor = Omit<ChatWire, "start"> & {
  name: string;
  provider: ChatProvider;
  start(...script: ScriptStep[]): Promise<StartedVendor>;
};

/** What every registered provider promises, streamed and not, against a server of its vendor's wire format. */
for (const provider of chatProviders) {
  const { name, account } = provider;
  const wire = wires[name]?.chat;
  test(`${name} is put to the test`, () => {
    if (account === undefined) assert.ok(hasOwnTest(name), `${name} calls nobody and has no test of its own`);
    else assert.ok(wire, `${name} has no chat wire: export one from testing/wire.ts of its folder`);
  });
  if (wire === undefined) continue;
  const vendor: Vendor = { ...wire, name, provider, start: (...script) => wire.start(provider, ...script) };
  for (const isStreamed of [false, true]) defineContract(vendor, isStreamed);
  defineStreamContract(vendor);
}

const examples: Required<ModelParameters> = {
  temperature: 0.3,
  maxTokens: 77,
  reasoning: "low",
  thinkingTokens: 2_048,
  topP: 0.4,
  topK: 7,
  frequencyPenalty: 0.5,
  presencePenalty: 0.6,
  seed: 42,
  stop: ["END"],
  contextTokens: 8_192,
};

const weather = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

function defineContract(vendor: Vendor, isStreamed: boolean): void {
  const label = `${vendor.name}, ${isStreamed ? "streamed" : "whole"}`;
  const ask = (model: ChatModel, call: Partial<ModelCall> = {}) =>
    answer(model, isStreamed ? { onText: () => undefined, ...call } : call);

  test(`${label}: an answer, its usage, and what was asked`, async (t) => {
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    const { model, requests } = await start(t, vendor, { text: "Grüße aus 東京 🎉", usage }, { text: "ok" });
    const { model: answered, ...answer } = await ask(model, { parameters: { temperature: 0.2, maxTokens: 50 } });
    // The scripted servers call themselves so, where the vendor's answers name a model.
    assert.ok([undefined, "scripted"].includes(answered), answered);
    assert.deepEqual(answer, {
      text: "Grüße aus 東京 🎉",
      toolCalls: [],
      finishReason: "stop",
      usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 },
    });
    await ask(model, { parameters: { topP: 0.9 } });
    const [first, second] = requests();
    assert.equal(first?.key, testKey);
    assert.equal(model.id, `${vendor.name}/${first?.model}`);
    assert.deepEqual(first?.messages, [{ role: "user", text: "Hi", images: [] }]);
    assert.deepEqual([first?.parameters.temperature, first?.parameters.maxTokens], [0.2, 50]);
    assert.deepEqual([second?.parameters.topP, second?.parameters.temperature], [0.9, undefined]);
    assert.equal(first?.mayCallTools, false);
  });

  test(`${label}: every parameter that the provider declares reaches the vendor`, async (t) => {
    for (const name of parametersOf(vendor.provider)) {
      const { model, bodies } = await start(t, vendor, { text: "ok" }, { text: "ok" });
      await ask(model);
      await ask(model, { parameters: { [name]: examples[name] } });
      const [without, withIt] = bodies();
      assert.notDeepEqual(withIt, without, `${name} changes nothing`);
    }
  });

  test(`${label}: tool calls keep their ids and arguments`, async (t) => {
    const toolCalls = [
      { id: "callOslo1", name: "get_weather", arguments: { city: "São Paulo" } },
      { id: "callOslo2", name: "get_weather", arguments: { city: 'Oslo "N"' } },
    ];
    const { model, requests } = await start(t, vendor, { text: "I look.", toolCalls, pieces: 5 });
    const { text, toolCalls: called, finishReason } = await ask(model, { tools: [weather] });
    assert.deepEqual([text, finishReason], ["I look.", "tool-calls"]);
    assert.deepEqual(
      called.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) })),
      toolCalls,
    );
    const { name, description, parameters: schema } = weather;
    assert.deepEqual(requests()[0]?.tools, [{ name, description, schema }]);
    assert.equal(requests()[0]?.mayCallTools, true);
  });

  test(`${label}: the conversation keeps its system message, pictures, calls and results`, async (t) => {
    const { model, requests } = await start(t, vendor, { text: "ok" });
    await ask(model, {
      tools: [weather],
      toolChoice: "none",
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Where is this?" },
            { type: "image", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) },
          ],
        },
        { role: "assistant", content: "" },
        {
          role: "assistant",
          content: "I look.",
          toolCalls: [
            { id: "callOslo1", name: "get_weather", arguments: '{"city":"Oslo"}' },
            { id: "callOslo2", name: "get_weather", arguments: "{}" },
          ],
        },
        { role: "tool", toolCallId: "callOslo1", toolName: "get_weather", content: "Rain" },
        { role: "tool", toolCallId: "callOslo2", toolName: "get_weather", content: "city is missing", isError: true },
        { role: "assistant", content: "It rains." },
        { role: "user", content: "Thanks" },
      ],
    });
    const [request] = requests();
    const idOf = (id: string) => (vendor.sendsCallIds === false ? undefined : id);
    const mark = (isError: boolean) => (vendor.marksToolErrors ? { isError } : {});
    assert.equal(request?.system, "Be brief.");
    assert.equal(request?.mayCallTools, false);
    assert.deepEqual(
      request?.messages.filter((message) => message.role !== "assistant" || message.text !== ""),
      [
        { role: "user", text: "Where is this?", images: ["data:image/png;base64,AQID"] },
        {
          role: "assistant",
          text: "I look.",
          calls: [
            { id: idOf("callOslo1"), name: "get_weather", arguments: { city: "Oslo" } },
            { id: idOf("callOslo2"), name: "get_weather", arguments: {} },
          ],
        },
        { role: "tool", id: idOf("callOslo1"), content: "Rain", ...mark(false) },
        { role: "tool", id: idOf("callOslo2"), content: "city is missing", ...mark(true) },
        { role: "assistant", text: "It rains.", calls: [] },
        { role: "user", text: "Thanks", images: [] },
      ],
    );
  });

  test(`${label}: a response schema is sent, and the answer is its JSON`, async (t) => {
    const { model, requests } = await start(t, vendor, { text: '{"city":"Oslo"}' });
    const schema = { ...weather.parameters, additionalProperties: false };
    const { text } = await ask(model, { responseSchema: { name: "answer", schema } });
    assert.deepEqual(JSON.parse(text), { city: "Oslo" });
    const sent = requests()[0]?.schema as typeof schema;
    assert.deepEqual([sent.properties, sent.required], [schema.properties, schema.required]);
  });

  test(`${label}: an answer that met the limit says so`, async (t) => {
    const { model } = await start(t, vendor, { text: "one two", finishReason: vendor.lengthReason });
    assert.equal((await ask(model)).finishReason, "length");
  });

  const refusals: [number, object, RegExp][] = [
    [400, { code: "model-invalid-request", retryable: false }, /\(status 400\): bad \[secret\]/],
    [401, { code: "model-unauthorized", retryable: false }, /status 401/],
    [403, { code: "model-unauthorized", retryable: false }, /status 403/],
    [404, { code: "model-invalid-request", retryable: false }, /bad \[secret\]/],
    [429, { code: "model-rate-limited", retryable: true }, /status 429/],
    [500, { code: "model-unavailable", retryable: true }, /\(status 500\): bad \[secret\]/],
    [529, { code: "model-unavailable", retryable: true }, /\(status 529\): bad \[secret\]/],
  ];
  test(`${label}: refusals become codes, with the vendor's words and without the key`, async (t) => {
    for (const [status, expected, message] of refusals) {
      const body = vendor.toError(`bad ${testKey}`);
      const { model, count } = await start(t, vendor, { status, body, headers: { "retry-after": "17" } });
      const error = await failure(ask(model));
      assert.deepEqual({ code: error.code, retryable: error.retryable }, expected, `status ${status}`);
      assert.deepEqual(error.upstream, { status, retryAfterSeconds: 17 });
      assert.match(error.message, message);
      assert.equal(count(), 1, "it never retries");
    }
  });

  test(`${label}: a page of a proxy is no answer, and its text is not repeated`, async (t) => {
    for (const garbage of ["{ not json", "", '{"hello":"world"}', "<html>login</html>", "null", "[]"]) {
      const { model } = await start(t, vendor, { garbage });
      const error = await failure(ask(model));
      assert.deepEqual([error.code, error.retryable], ["model-invalid-answer", true], garbage);
      assert.doesNotMatch(error.message, /login|hello/);
    }
    const { model } = await start(t, vendor, { status: 502, body: "<html>Bad gateway</html>" });
    const error = await failure(ask(model));
    assert.equal(error.code, "model-unavailable");
    assert.match(error.message, /status 502\): Bad Gateway/);
  });

  test(`${label}: a server that is not there`, async (t) => {
    const { model, close } = await start(t, vendor);
    await close();
    const error = await failure(ask(model));
    assert.equal(error.code, "model-unreachable");
    assert.match(error.message, /could not be reached: .*connection refused\./);
  });

  test(`${label}: an abort ends a hanging request at once, with the signal's reason`, async (t) => {
    const { model, count, abandoned } = await start(t, vendor, { hang: true });
    const controller = new AbortController();
    const reason = new Error("cancelled by the user");
    const pending = ask(model, { signal: controller.signal });
    await until(() => count() === 1);
    controller.abort(reason);
    await assert.rejects(pending, reason);
    await until(() => abandoned() === 1);
    await assert.rejects(ask(model, { signal: AbortSignal.abort(reason) }), reason);
    assert.equal(count(), 1, "an aborted call is not sent");
  });

  test(`${label}: what egress forbids passes through, what it cannot reach is unreachable`, async () => {
    const create = (fetch: typeof globalThis.fetch) =>
      vendor.provider.create({ model: "m", apiKey: testKey, baseUrl: "http://10.0.0.1", ...httpOver(fetch) });
    const params = { url: "http://10.0.0.1", reason: "connection refused" };
    const refused = new WeftError("egress-refused", { params });
    assert.equal(await failure(ask(await create(() => Promise.reject(refused)))), refused);
    const failed = new WeftError("egress-failed", { params });
    assert.equal((await failure(ask(await create(() => Promise.reject(failed))))).code, "model-unreachable");
    const body = new ReadableStream({ pull: (controller) => controller.error(failed) });
    const headers = { "content-type": isStreamed ? "text/event-stream" : "application/json" };
    const broken = await create(async () => new Response(body, { headers }));
    assert.equal((await failure(ask(broken))).code, "model-interrupted");
  });
}

function defineStreamContract(vendor: Vendor): void {
  const label = `${vendor.name}, stream`;
  const ask = (model: ChatModel, call: Partial<ModelCall> = {}) => answer(model, { onText: () => undefined, ...call });

  test(`${label}: text comes piece by piece`, async (t) => {
    const { model } = await start(t, vendor, { text: "one two three" });
    const pieces: string[] = [];
    const { text } = await ask(model, { onText: (piece) => pieces.push(piece) });
    assert.deepEqual(pieces, ["one", " two", " three"]);
    assert.equal(text, "one two three");
  });

  test(`${label}: a stream that is cut anywhere is no answer`, async (t) => {
    const steps: ScriptStep[] = [0, 1, 3].map((cutStreamAfter) => ({ text: "one two three four", cutStreamAfter }));
    const toolCalls = [{ name: "get_weather", arguments: { city: "Oslo" } }];
    for (const step of [...steps, { toolCalls, pieces: 4, cutStreamAfter: 1 }]) {
      const { model } = await start(t, vendor, step);
      const error = await failure(ask(model, { tools: [weather] }));
      assert.equal(error.code, "model-interrupted");
      assert.match(error.message, /ended before it was complete/);
    }
  });

  test(`${label}: an unreadable event is no answer`, async (t) => {
    const { model } = await start(t, vendor, { chunks: [vendor.unreadableEvent] });
    const error = await failure(ask(model));
    assert.equal(error.code, "model-invalid-answer");
    assert.doesNotMatch(error.message, /oops/);
  });

  test(`${label}: an error inside a stream of 200 is the vendor's error`, async (t) => {
    const { event, status } = vendor.streamError(`overloaded ${testKey}`);
    const { model } = await start(t, vendor, { chunks: [event] });
    const error = await failure(ask(model));
    assert.equal(error.code, "model-unavailable");
    assert.equal(error.upstream?.status, status);
    assert.match(error.message, /overloaded \[secret\]/);
  });

  test(`${label}: an abort in the middle ends the request with the signal's own reason`, async (t) => {
    const { model, abandoned } = await start(t, vendor, { hang: true, afterText: "Hello there" });
    const controller = new AbortController();
    const pending = ask(model, { signal: controller.signal, onText: () => controller.abort() });
    await assert.rejects(pending, (error) => error === controller.signal.reason);
    await until(() => abandoned() === 1);
  });

  test(`${label}: a listener that throws is a bug, stays one, and ends the request`, async (t) => {
    const { model, abandoned } = await start(t, vendor, { hang: true, afterText: "one two" });
    const bug = new TypeError("a bug");
    const onText = () => {
      throw bug;
    };
    await assert.rejects(ask(model, { onText }), bug);
    await until(() => abandoned() === 1);
  });
}

async function start(t: TestContext, vendor: Vendor, ...script: ScriptStep[]): Promise<StartedVendor> {
  const started = await vendor.start(...script);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= started.close();
    return closing;
  };
  t.after(close);
  return { ...started, close };
}

async function failure(pending: Promise<unknown>): Promise<WeftError> {
  const error = await pending.then(
    () => assert.fail("it answered"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WeftError, `not a WeftError: ${String(error)}`);
  assert.ok(!JSON.stringify([error.message, error.errors]).includes(testKey), "the key is in the message");
  assert.equal(error.cause, undefined);
  return error;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
