import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelAnswer } from "@weft/engine/ports/chat-model";
import { openAiFormat } from "../openai/testing/openai-format.ts";
import { openAiCompatible } from "../openai-compatible/openai-compatible.ts";
import { ask, startModel } from "../testing/bench.ts";

type Expected =
  | { text: string; finishReason?: ModelAnswer["finishReason"]; outputTokens?: number }
  | { calls: [name: string, args: string][]; text?: string }
  | { code: string; words?: RegExp };

/** What compatible servers have been seen to send, and what it means. Events that are no text are sent as JSON. */
type OddStream = { what: string; events: readonly unknown[]; expected: Expected };
type OddBody = { what: string; body: unknown; expected: Expected };

const delta = (content: unknown, more: object = {}) => ({ choices: [{ index: 0, delta: { content }, ...more }] });
const end = (reason: unknown = "stop") => ({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
const call = (fields: object) => ({ choices: [{ index: 0, delta: { tool_calls: [fields] } }] });
const message = (fields: object, more: object = {}) => ({
  choices: [{ message: fields, finish_reason: "stop" }],
  ...more,
});
const said = { text: "Good day" };
const overloaded = { code: "model-unavailable", words: /The model is overloaded, please retry/ };
const notUnderstood = { code: "model-invalid-answer" };

const streams: OddStream[] = [
  { what: "a first event without choices", events: [{ id: "x" }, delta("Good "), delta("day"), end()], expected: said },
  { what: "choices that are null", events: [{ choices: null }, delta("Good day"), end()], expected: said },
  { what: "an empty object as a sign of life", events: [{}, delta("Good day"), {}, end()], expected: said },
  { what: "a sign of life that is no JSON", events: ["ping", delta("Good day"), end()], expected: said },
  { what: "a whole message in place of a delta", events: [message({ content: "Good day" })], expected: said },
  {
    what: "a whole message after its deltas",
    events: [delta("Good "), delta("day"), message({ content: "Good day" })],
    expected: said,
  },
  { what: "text in place of a delta", events: [{ choices: [{ text: "Good day" }] }, end()], expected: said },
  { what: "words after the end", events: [delta("Good day"), end(), "[DONE]", delta(" and more")], expected: said },
  {
    what: "usage after the end",
    events: [delta("Good day"), end(), "[DONE]", { choices: [], usage: { prompt_tokens: 1, completion_tokens: 9 } }],
    expected: { ...said, outputTokens: 9 },
  },
  {
    what: "usage inside of the choice",
    events: [delta("Good day"), { choices: [{ delta: {}, finish_reason: "stop", usage: { completion_tokens: 9 } }] }],
    expected: { ...said, outputTokens: 9 },
  },
  {
    what: "usage in a field of the vendor's own",
    events: [delta("Good day"), { ...end(), x_groq: { usage: { completion_tokens: 9 } } }],
    expected: { ...said, outputTokens: 9 },
  },
  {
    what: "an end that does not say why, as when the server was ended",
    events: [delta("Good day"), "[DONE]"],
    expected: notUnderstood,
  },
  {
    what: "words after an end with white space around it",
    events: [delta("Good day"), end(), " [DONE] ", delta("!")],
    expected: said,
  },
  {
    what: "an empty reason with every piece",
    events: [delta("Good ", { finish_reason: "" }), delta("day"), end()],
    expected: said,
  },
  {
    what: "an empty reason with every piece of a stream that breaks off",
    events: [delta("Good ", { finish_reason: "" })],
    expected: notUnderstood,
  },
  {
    what: "an event that was cut",
    events: [delta("Good "), '{"choices":[{"delta":{"cont', end()],
    expected: notUnderstood,
  },
  { what: "nothing but an end", events: ["[DONE]"], expected: notUnderstood },
  { what: "nothing that is an answer", events: [{ status: "ok" }, "hello", "[DONE]"], expected: notUnderstood },
  { what: "nothing that is an answer, and a reason", events: [{ status: "ok" }, end()], expected: notUnderstood },
  {
    what: "an error in place of a piece",
    events: [delta("Good "), { error: { message: "The model is overloaded, please retry", code: 503 } }],
    expected: overloaded,
  },
  {
    what: "an error as a text",
    events: [delta("Good "), { error: "The model is overloaded, please retry" }],
    expected: overloaded,
  },
  {
    what: "an error that is not wrapped",
    events: [{ object: "error", message: "The model is overloaded, please retry", code: 503 }],
    expected: overloaded,
  },
  {
    what: "an error inside of the choice",
    events: [
      delta("Good "),
      { choices: [{ error: { message: "The model is overloaded, please retry", code: 503 }, finish_reason: "error" }] },
    ],
    expected: overloaded,
  },
  {
    what: "a detail in place of a piece",
    events: [{ detail: "The model is overloaded, please retry" }],
    expected: overloaded,
  },
  {
    what: "arguments as an object",
    events: [call({ index: 0, id: "a", function: { name: "lookup", arguments: { q: "a" } } }), end("tool_calls")],
    expected: { calls: [["lookup", '{"q":"a"}']] },
  },
  {
    what: "arguments that are null",
    events: [call({ index: 0, id: "a", function: { name: "lookup", arguments: null } }), end("tool_calls")],
    expected: { calls: [["lookup", ""]] },
  },
  {
    what: "the older form of a call",
    events: [
      { choices: [{ delta: { function_call: { name: "lookup", arguments: "" } } }] },
      { choices: [{ delta: { function_call: { arguments: '{"q":"a"}' } } }] },
      end("function_call"),
    ],
    expected: { calls: [["lookup", '{"q":"a"}']] },
  },
  {
    what: "a call without the inner object",
    events: [call({ index: 0, id: "a", name: "lookup", arguments: '{"q":"a"}' }), end("tool_calls")],
    expected: { calls: [["lookup", '{"q":"a"}']] },
  },
  {
    what: "calls in a whole message",
    events: [message({ content: null, tool_calls: [{ id: "a", function: { name: "lookup", arguments: "{}" } }] })],
    expected: { calls: [["lookup", "{}"]] },
  },
  {
    what: "a list of calls with nothing in it",
    events: [call(null as never), delta("Good day"), end()],
    expected: said,
  },
  {
    what: "calls that are null",
    events: [{ choices: [{ delta: { tool_calls: null, content: "Good day" } }] }, end()],
    expected: said,
  },
  {
    what: "thoughts between tags",
    events: [delta("<think>"), delta("a plan</think>\n\n"), delta("Good day"), end()],
    expected: said,
  },
  { what: "a tag in the middle", events: [delta("Say <think>"), end()], expected: { text: "Say <think>" } },
  {
    what: "thoughts that never end",
    events: [delta("<think>a plan"), end("length")],
    expected: { text: "", finishReason: "length" },
  },
  { what: "content in parts", events: [delta([{ type: "text", text: "Good day" }]), end()], expected: said },
];

const bodies: OddBody[] = [
  {
    what: "an error inside of a 200",
    body: { error: { message: "The model is overloaded, please retry", code: 503 } },
    expected: overloaded,
  },
  {
    what: "an error beside choices",
    body: { choices: [], error: { message: "The model is overloaded, please retry", code: 503 } },
    expected: overloaded,
  },
  {
    what: "an error in words alone",
    body: { detail: "The model is overloaded, please retry" },
    expected: overloaded,
  },
  {
    what: "arguments as an object",
    body: message({ tool_calls: [{ id: "a", function: { name: "lookup", arguments: { q: 1 } } }] }),
    expected: { calls: [["lookup", '{"q":1}']] },
  },
  {
    what: "the older form of a call",
    body: message({ function_call: { name: "lookup", arguments: "{}" } }),
    expected: { calls: [["lookup", "{}"]] },
  },
  { what: "thoughts between tags", body: message({ content: "<think>a plan</think>\nGood day" }), expected: said },
  {
    what: "a delta in place of a message",
    body: { choices: [{ delta: { content: "Good day" }, finish_reason: "stop" }] },
    expected: said,
  },
  { what: "no reason", body: { choices: [{ message: { content: "Good day" } }] }, expected: said },
  { what: "choices that are null", body: { choices: null }, expected: notUnderstood },
  { what: "a list", body: [], expected: notUnderstood },
  { what: "a text", body: '"Good day"', expected: notUnderstood },
];

async function check(answer: Promise<ModelAnswer>, expected: Expected): Promise<void> {
  if ("code" in expected) {
    await assert.rejects(answer, (error: { code: string; message: string }) => {
      assert.equal(error.code, expected.code);
      if (expected.words !== undefined) assert.match(error.message, expected.words);
      return true;
    });
    return;
  }
  const { text, toolCalls, finishReason, usage } = await answer;
  assert.equal(text, expected.text ?? "");
  if ("calls" in expected) {
    assert.deepEqual(
      toolCalls.map(({ name, arguments: args }) => [name, args]),
      expected.calls,
    );
    assert.equal(finishReason, "tool-calls");
    return;
  }
  assert.deepEqual(toolCalls, []);
  if (expected.finishReason !== undefined) assert.equal(finishReason, expected.finishReason);
  if (expected.outputTokens !== undefined) assert.equal(usage.outputTokens, expected.outputTokens);
}

const toEvents = (events: readonly unknown[]) =>
  events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
const compatible = { chat: openAiCompatible.chat, format: openAiFormat, model: "m", apiKey: "sk-key-0123456789" };

describe("odd answers of compatible servers", () => {
  for (const { what, events, expected } of streams) {
    it(`in a stream: ${what}`, async (t) => {
      const { model } = await startModel(t, compatible, { chunks: toEvents(events) });
      const told: string[] = [];
      const answer = ask(model, { onText: (text) => told.push(text) });
      await check(answer, expected);
      if (!("code" in expected)) assert.equal(told.join(""), expected.text ?? "");
    });
  }

  for (const { what, body, expected } of bodies) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`in one piece: ${what}`, async (t) => {
      const { model } = await startModel(t, compatible, { garbage: text });
      await check(ask(model), expected);
    });

    it(`in one piece where a stream was asked for: ${what}`, async (t) => {
      const { model } = await startModel(t, compatible, { garbage: text });
      const told: string[] = [];
      await check(ask(model, { onText: (piece) => told.push(piece) }), expected);
      if (!("code" in expected)) assert.equal(told.join(""), expected.text ?? "");
    });
  }

  it("a stream where none was asked for", async (t) => {
    const body = toEvents([delta("Good "), delta("day"), end(), "[DONE]"]).join("");
    const { model } = await startModel(t, compatible, { garbage: body }, { garbage: `: waiting\n\n${body}` });
    await check(ask(model), said);
    await check(ask(model), said);
  });

  it("a body of one piece where a stream was asked for, in many pieces and behind a byte order mark", async (t) => {
    const bytes = Buffer.from(`\ufeff${JSON.stringify(message({ content: "Good day" }))}`);
    const pieces = Array.from({ length: bytes.length - 3 }, (_, at) => bytes.subarray(at + 3, at + 4));
    const { model } = await startModel(t, compatible, { chunks: [bytes] }, { chunks: pieces });
    await check(ask(model, { onText: () => undefined }), said);
    await check(ask(model, { onText: () => undefined }), said);
  });

  it("a body of one piece that calls itself a stream is kept up to eight megabytes", async (t) => {
    const chunks = Array.from({ length: 9 }, (_, at) => `${at === 0 ? "{" : ""}${" ".repeat(1_024 ** 2)}\n`);
    const { model } = await startModel(t, compatible, { chunks });
    await check(ask(model, { onText: () => undefined }), { code: "model-invalid-answer", words: /too large/ });
  });

  it("lines of JSON where a stream was asked for", async (t) => {
    const body = [delta("Good "), delta("day"), end()].map((event) => `${JSON.stringify(event)}\n`).join("");
    const { model } = await startModel(t, compatible, { garbage: body });
    await check(ask(model, { onText: () => undefined }), said);
  });
});
