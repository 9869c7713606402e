import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ModelCall } from "@weft/engine/ports/chat-model";
import type { JsonSchema } from "@weft/schema";
import { ask, startModel } from "../testing/bench.ts";
import { openai } from "./openai.ts";
import { openAiFormat } from "./testing/openai-format.ts";

/** What a model is sent for a call. */
async function sent(t: TestContext, model: string, call: Partial<ModelCall> = {}) {
  const { model: asked, server } = await startModel(
    t,
    { chat: openai.chat, format: openAiFormat, model },
    { text: "ok" },
  );
  await ask(asked, call);
  return server.requests[0]?.body ?? assert.fail("nothing was sent");
}

const tools = [{ name: "look", description: "Look", parameters: { type: "object", properties: {} } }];
const parameters = { temperature: 0.2, topP: 0.9, maxTokens: 50 };
const messages: ModelCall["messages"] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hi" },
];

const plain = { role: "system", temperature: 0.2, top_p: 0.9, max_tokens: 50 };
const reasoning = { role: "developer", max_completion_tokens: 50 };
const withoutReasoning = { ...reasoning, temperature: 0.2, top_p: 0.9, reasoning_effort: "none" };
const search = { role: "system", top_p: 0.9, max_tokens: 50 };

/** What each model gets, with tools and without. */
const models: [names: string[], withTools: object, bare: object][] = [
  [["gpt-4o-mini", "gpt-4.1", "gpt-5-chat-latest", "o1x", "openai/gpt-5", "ft:o3:x"], plain, plain],
  [
    ["o1", "o3-mini", "o4-mini-2025-04-16", "gpt-5", "gpt-5-mini", "gpt-5.1", "gpt-5.1-chat-latest"],
    reasoning,
    reasoning,
  ],
  [["gpt-6-sol", "gpt-6.1-terra"], reasoning, reasoning],
  [["gpt-5.6", "gpt-5.6-luna", "gpt-5.10"], withoutReasoning, reasoning],
  [["gpt-4o-search-preview", "gpt-4o-mini-search-preview-2025-03-11"], search, search],
];
for (const [names, withTools, bare] of models) {
  test(`${names.join(", ")}: parameters and the system's role`, async (t) => {
    for (const name of names) {
      for (const [call, expected] of [
        [{ tools }, withTools],
        [{}, bare],
      ] as const) {
        const body = await sent(t, name, { messages, parameters, ...call });
        const { temperature, top_p, max_tokens, max_completion_tokens, reasoning_effort } = body;
        const found = { temperature, top_p, max_tokens, max_completion_tokens, reasoning_effort };
        const given = Object.entries(found).filter(([, value]) => value !== undefined);
        assert.deepEqual({ role: body.messages[0]?.role, ...Object.fromEntries(given) }, expected, name);
      }
    }
  });
}

test("an effort that was chosen is sent, and what goes with it", async (t) => {
  const low = { parameters: { ...parameters, reasoning: "low" as const } };
  const none = { parameters: { ...parameters, reasoning: "none" as const } };
  const effortOf = async (name: string, call: Partial<ModelCall>) => {
    const { reasoning_effort, temperature } = await sent(t, name, { messages, ...call });
    return [reasoning_effort, temperature];
  };
  assert.deepEqual(await effortOf("gpt-5", low), ["low", undefined]);
  assert.deepEqual(await effortOf("gpt-5.1", none), ["none", 0.2]);
  assert.deepEqual(
    await effortOf("gpt-5.6", { ...low, tools }),
    ["low", undefined],
    "the vendor says what it thinks of it",
  );
});

test("arguments of earlier calls are objects, and carry no other vendor's state", async (t) => {
  const vendorState = { thoughtSignature: "c2lnbmVk" };
  const texts = ['{ "a": 1 }', "", "[1]", "5", '{"a'];
  const toolCalls = texts.map((text, at) => ({ id: `${at}`, name: "look", arguments: text, vendorState }));
  const body = await sent(t, "gpt-4o-mini", { messages: [{ role: "assistant", content: "", toolCalls }] });
  const calls = body.messages[0]?.tool_calls as { function: { arguments: string }; extra_content?: unknown }[];
  assert.deepEqual(
    calls.map((call) => call.function.arguments),
    ['{ "a": 1 }', "{}", "{}", "{}", "{}"],
  );
  assert.ok(calls.every((call) => call.extra_content === undefined));
});

test("schemas lose what OpenAI refuses, in tools and in the format of the answer", async (t) => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      pattern: { type: "string", pattern: "^(?=a)b" },
      kept: { type: "string", pattern: "[(?=]\\(?=(?:x)" },
      names: { type: "object", propertyNames: { pattern: "x" } },
      one: { allOf: [{ $ref: "#/$defs/x" }] },
      more: { allOf: [{ $ref: "#/$defs/x" }, { type: "object" }] },
      list: { type: "array", items: [{ pattern: "(?<!x)" }, true] },
    },
    $defs: { x: { type: "object", additionalProperties: { pattern: "(?!a)" } } },
    dependencies: { names: ["kept"], one: { pattern: "(?<=a)" } },
  };
  const expected = {
    type: "object",
    properties: {
      pattern: { type: "string" },
      kept: { type: "string", pattern: "[(?=]\\(?=(?:x)" },
      names: { type: "object" },
      one: { $ref: "#/$defs/x" },
      more: { allOf: [{ $ref: "#/$defs/x" }, { type: "object" }] },
      list: { type: "array", items: [{}, true] },
    },
    $defs: { x: { type: "object", additionalProperties: {} } },
    dependencies: { names: ["kept"], one: {} },
  };
  const responseSchema = { name: "the answer", schema };
  const body = await sent(t, "gpt-4o", { tools: [{ name: "f", description: "", parameters: schema }], responseSchema });
  assert.deepEqual(body.tools?.[0]?.function.parameters, expected);
  const json_schema = { name: "the_answer", strict: false, schema: expected };
  assert.deepEqual(body.response_format, { type: "json_schema", json_schema });

  const root = { allOf: [{ $ref: "#/definitions/a~1b" }], definitions: { "a/b": { type: "object", properties: {} } } };
  const unfolded = await sent(t, "gpt-4o", { tools: [{ name: "f", description: "", parameters: root }] });
  const { definitions } = root;
  assert.deepEqual(unfolded.tools?.[0]?.function.parameters, { type: "object", properties: {}, definitions });
});

test("a schema whose property names are no texts is not sent", async (t) => {
  const { model, server } = await startModel(t, { chat: openai.chat, format: openAiFormat, model: "gpt-4o" });
  for (const propertyNames of [{ type: "number" }, true]) {
    const schema: JsonSchema = { type: "object", properties: { a: { propertyNames } } };
    const call = { tools: [{ name: "f", description: "", parameters: schema }] };
    await assert.rejects(ask(model, call), { code: "model-invalid-request", message: /propertyNames/ });
  }
  assert.equal(server.count(), 0);
});
