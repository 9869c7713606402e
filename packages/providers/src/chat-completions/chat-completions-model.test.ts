import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ModelAnswer } from "@weft/engine/ports/chat-model";
import fc from "fast-check";
import { openAiFormat } from "../openai/testing/openai-format.ts";
import { openAiCompatible } from "../openai-compatible/openai-compatible.ts";
import { ask, startModel } from "../testing/bench.ts";
import type { ScriptStep } from "../testing/script-step.ts";

const start = (t: TestContext, ...script: ScriptStep[]) =>
  startModel(
    t,
    { chat: openAiCompatible.chat, format: openAiFormat, model: "m", apiKey: "sk-key-0123456789" },
    ...script,
  );

type Message = Record<string, unknown>;

/** A message as a body of one piece, and as a stream of one piece and an end. */
function answersOf(message: Message, finishReason: string | null): ScriptStep[] {
  const usage = { prompt_tokens: 3, completion_tokens: 4 };
  const whole = { choices: [{ message, finish_reason: finishReason }], usage };
  const events = [
    { choices: [{ delta: message }] },
    { choices: [{ delta: {}, finish_reason: finishReason }] },
    { choices: [], usage },
  ];
  return [{ garbage: JSON.stringify(whole) }, { chunks: events.map((event) => `data: ${JSON.stringify(event)}\n\n`) }];
}

async function askBoth(t: TestContext, message: Message, finishReason: string | null): Promise<ModelAnswer[]> {
  const { model } = await start(t, ...answersOf(message, finishReason));
  return [await ask(model), await ask(model, { onText: () => undefined })];
}

const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };
const endings: [message: Message, finishReason: string, expected: Pick<ModelAnswer, "text" | "finishReason">][] = [
  [{ content: "a" }, "stop", { text: "a", finishReason: "stop" }],
  [{ content: "a" }, "length", { text: "a", finishReason: "length" }],
  [{ content: "a" }, "content_filter", { text: "a", finishReason: "content-filter" }],
  [{ content: "a" }, "eos", { text: "a", finishReason: "other" }],
  [{ content: null, refusal: "No." }, "stop", { text: "No.", finishReason: "content-filter" }],
  [{ content: "Well. ", refusal: "No." }, "stop", { text: "Well. No.", finishReason: "content-filter" }],
  [{ content: "a", refusal: false }, "stop", { text: "a", finishReason: "stop" }],
  [{ content: "a", reasoning_content: "Hm." }, "stop", { text: "a", finishReason: "stop" }],
  [{ content: "", reasoning: "Hm." }, "length", { text: "", finishReason: "length" }],
  [
    {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
        { type: "text", text: "a" },
      ],
    },
    "stop",
    { text: "a", finishReason: "stop" },
  ],
];

test("why an answer ends, refusals, and thoughts, which are left out", async (t) => {
  for (const [message, finishReason, expected] of endings) {
    for (const answer of await askBoth(t, message, finishReason)) {
      assert.deepEqual(answer, { ...expected, toolCalls: [], usage }, JSON.stringify([message, finishReason]));
    }
  }
});

test("calls end an answer, whatever the server says; those without an id get one of their own", async (t) => {
  const calls = [{ function: { name: "f", arguments: "{}" } }, { id: "a", function: { name: "f" } }];
  for (const { finishReason, toolCalls } of await askBoth(t, { content: null, tool_calls: calls }, "stop")) {
    assert.equal(finishReason, "tool-calls");
    assert.deepEqual(toolCalls, [
      { id: "call_1_0", name: "f", arguments: "{}" },
      { id: "a", name: "f", arguments: "" },
    ]);
  }
});

test("messages that are not what the API promises are no answer", async (t) => {
  const messages = [{ content: 5 }, { content: ["a"] }, { tool_calls: {} }, { tool_calls: [{}] }, { content: "" }];
  for (const message of messages) {
    const { model } = await start(t, ...answersOf(message, null));
    await assert.rejects(ask(model), { code: "model-invalid-answer" }, JSON.stringify(message));
    await assert.rejects(ask(model, { onText: () => undefined }), { code: "model-invalid-answer" });
  }
});

test("counts that are none count for nothing, and progress is told of what the model says alone", async (t) => {
  const events = [
    ": waiting\n\n",
    { choices: [{ delta: { role: "assistant", content: "" } }] },
    { choices: [], prompt_filter_results: [] },
    { choices: [{ delta: { reasoning: "Hm." } }] },
    { choices: [{ delta: { content: "a" } }] },
    { choices: [{ delta: null, finish_reason: "stop" }], usage: { prompt_tokens: -1, completion_tokens: "2" } },
  ];
  const chunks = events.map((event) => (typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`));
  const { model } = await start(t, { chunks });
  let progress = 0;
  const onProgress = () => {
    progress += 1;
  };
  const answer = await ask(model, { onText: () => undefined, onProgress });
  assert.deepEqual(answer.usage, { inputTokens: 0, outputTokens: 0, totalTokens: 0 });
  assert.equal(progress, 2);
});

test("a status that is neither an answer nor an error is no answer", async (t) => {
  const { model } = await start(t, { status: 304 }, { status: 300, body: "Multiple Choices" });
  await assert.rejects(ask(model), { code: "model-invalid-answer" });
  await assert.rejects(ask(model), { code: "model-invalid-answer" });
});

/** As several servers have sent it: comments, both line ends, thoughts, words, calls, usage, no last blank line. */
const recorded = [
  ": OPENROUTER PROCESSING\n\n",
  'data: {"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n',
  'event: message\r\ndata: {"choices":[{"index":0,"delta":{"reasoning_content":"Überlegung"}}]}\r\n\r\n',
  'data: {"choices":[{"index":0,"delta":{"content":"Grüße aus "}}]}\n\n',
  'data: {"choices":[{"index":0,\ndata: "delta":{"content":"東京 🎉"}}]}\n\n',
  'data:{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""},"extra_content":{"google":{"thought_signature":"c2ln"}}}]}}]}\r\r',
  'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"city\\":\\"São"}}]}}]}\n\n',
  'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":" Paulo\\"}"}}]}}]}\n\n',
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
  "data: [DONE]\n\n",
  'data: {"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7}}',
].join("");

test("a recorded stream is the same answer, wherever it is cut", async (t) => {
  const bytes = Buffer.from(recorded);
  const expected = {
    text: "Grüße aus 東京 🎉",
    toolCalls: [{ id: "a", name: "f", arguments: '{"city":"São Paulo"}', vendorState: { thoughtSignature: "c2ln" } }],
    finishReason: "tool-calls",
    usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 },
  };
  const cutAnywhere = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(cutAnywhere, async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
      const { model, server } = await start(t, { chunks });
      const pieces: string[] = [];
      assert.deepEqual(await ask(model, { onText: (text) => pieces.push(text) }), expected);
      assert.deepEqual(pieces, ["Grüße aus ", "東京 🎉"]);
      await server.close();
    }),
    { numRuns: 60 },
  );
});

test("an answer names the model that gave it where that is another one, and a name that is none is left out", async (t) => {
  for (const [named, expected] of [
    ["m-2026-08-06", "m-2026-08-06"],
    ["m", undefined],
    ["", undefined],
    [undefined, undefined],
    [7, undefined],
    ["m".repeat(201), undefined],
  ] as const) {
    const message = { content: "a" };
    const whole = { model: named, choices: [{ message, finish_reason: "stop" }] };
    const event = { model: named, choices: [{ delta: message, finish_reason: "stop" }] };
    const steps = [{ garbage: JSON.stringify(whole) }, { chunks: [`data: ${JSON.stringify(event)}\n\n`] }];
    const { model } = await start(t, ...steps);
    for (const answer of [await ask(model), await ask(model, { onText: () => undefined })]) {
      assert.equal(answer.model, expected);
      assert.equal("model" in answer, expected !== undefined);
    }
  }
});
