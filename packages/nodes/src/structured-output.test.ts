import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createScriptedModel, type ScriptedStep } from "@weft/engine/testing";
import type { Json } from "@weft/schema";
import { chain, findingsOf, modelServices, runFlow, toolServices } from "./testing/run-flow.ts";

const fields = [
  { name: "city", description: "Where" },
  { name: "size", type: "number", required: false },
];
const schema = {
  type: "object",
  properties: { city: { type: "string", description: "Where" }, size: { type: "number" } },
  required: ["city"],
  additionalProperties: false,
};

type Node = { id: string; type: string; config: object };
const llm = (structuredOutput: Json): Node => ({ id: "m", type: "llm", config: { structuredOutput } });
const agent = (structuredOutput: Json): Node => ({
  id: "m",
  type: "agent",
  config: { structuredOutput, tools: [{ type: "kit" }] },
});

async function answering(node: Node, steps: readonly ScriptedStep[], live = false) {
  const model = createScriptedModel(steps);
  const look = { name: "look", description: "", parameters: {}, kind: "read", call: async () => ({ content: "Ulm" }) };
  const services = { ...modelServices(model), ...toolServices({ kit: [look as never] }) };
  const reply = { id: "r", type: "direct-reply", config: { message: "{{ m.output.city }}/{{ m.output.json.size }}" } };
  const run = await runFlow(chain(node), { services, live });
  const replied = await runFlow(chain(node, reply), { services });
  return { ...run, model, replied: replied.text };
}

describe("structured output", () => {
  it("asks for the schema of its fields, and gives the object on", async () => {
    const { text, model, events, outputOf, replied } = await answering(llm(fields), [
      { text: '{"city":"Ulm","size":3}' },
    ]);
    assert.deepEqual(model.calls[0]?.responseSchema, { name: "answer", schema });
    assert.equal(text, '{"city":"Ulm","size":3}');
    const end = events.at(-1);
    assert.deepEqual(end?.type === "run-completed" && end.json, { city: "Ulm", size: 3 });
    assert.deepEqual(outputOf("m"), {
      content: text,
      model: "scripted/model",
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      finishReason: "stop",
      city: "Ulm",
      size: 3,
      json: { city: "Ulm", size: 3 },
    });
    assert.equal(replied, "Ulm/3");
  });

  it("makes a schema of every kind of field", async () => {
    const rows = [
      { name: "kind", type: "enum", enumValues: ["a", "b", "a"] },
      { name: "free", type: "enum" },
      { name: "ok", type: "boolean" },
      { name: "tags", type: "array" },
      { name: "parts", type: "array", items: "object", schema: '{"type":"object","required":["x"]}' },
      { name: "any", type: "object" },
    ];
    const { model } = await answering(llm(rows), [{ text: "{}" }]);
    assert.deepEqual(model.calls[0]?.responseSchema?.schema.properties, {
      kind: { type: "string", enum: ["a", "b"] },
      free: { type: "string" },
      ok: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      parts: { type: "array", items: { type: "object", required: ["x"] } },
      any: { type: "object" },
    });
  });

  it("takes a JSON Schema as an object or as text, and nothing for words", async () => {
    for (const setting of [schema, JSON.stringify(schema)]) {
      const { model } = await answering(llm(setting), [{ text: '{"city":"Ulm"}' }]);
      assert.deepEqual(model.calls[0]?.responseSchema?.schema, schema);
    }
    for (const setting of ["", " ", [], {}]) {
      const { model, text, outputOf } = await answering(llm(setting), [{ text: "words" }]);
      assert.deepEqual([text, model.calls[0]?.responseSchema], ["words", undefined]);
      assert.equal((outputOf("m") as { json?: Json }).json, undefined);
    }
  });

  it("gives a list on as json", async () => {
    const list = { type: "array", items: { type: "number" } };
    const { outputOf, events } = await answering(llm(list), [{ text: "[1,2]" }]);
    assert.deepEqual((outputOf("m") as { json: Json }).json, [1, 2]);
    const end = events.at(-1);
    assert.deepEqual(end?.type === "run-completed" && end.json, [1, 2]);
  });

  it("says once in words what is wrong, and takes the next answer", async () => {
    const { text, model } = await answering(llm(fields), [{ text: "It is Ulm." }, { text: '{"city":"Ulm"}' }]);
    assert.equal(text, '{"city":"Ulm"}');
    const asked = model.calls[1]?.messages ?? [];
    assert.deepEqual(asked.at(-2), { role: "assistant", content: "It is Ulm." });
    assert.match(String(asked.at(-1)?.content), /not valid JSON.*fits this JSON Schema: \{"type":"object"/);
  });

  it("fails when the second answer does not fit either", async () => {
    const { error, model } = await answering(llm(fields), [{ text: "no" }, { text: '{"size":1}' }]);
    assert.equal(error?.code, "model-invalid-answer");
    assert.match(error?.message ?? "", /does not match the schema.*city/);
    assert.equal(model.calls.filter(({ messages }) => messages.length > 1).length, 2);
  });

  it("tells a model with tools in words, and lets it call them first", async () => {
    const { text, model, outputOf } = await answering(agent(fields), [
      { toolCalls: [{ name: "look", arguments: {} }] },
      { text: '```json\n{"city":"Ulm"}\n```' },
    ]);
    assert.equal(text, '{"city":"Ulm"}');
    assert.ok(model.calls.every(({ responseSchema }) => responseSchema === undefined));
    assert.match(String(model.calls[0]?.messages[0]?.content), /^When you give the final answer.*"city"/);
    const { city, usedTools } = outputOf("m") as { city: string; usedTools: object[] };
    assert.deepEqual([city, usedTools.length], ["Ulm", 1]);
  });

  it("offers no tools when it asks again", async () => {
    const { text, model } = await answering(agent(fields), [{ text: "Ulm" }, { text: '{"city":"Ulm"}' }]);
    assert.equal(text, '{"city":"Ulm"}');
    assert.deepEqual(
      model.calls.slice(0, 2).map(({ toolChoice }) => toolChoice),
      ["auto", "none"],
    );
  });

  it("streams no data while it is written: it may not fit", async () => {
    const { deltas, text } = await answering(llm(fields), [{ text: "no" }, { text: '{"city":"Ulm"}' }], true);
    assert.deepEqual(deltas, []);
    assert.equal(text, '{"city":"Ulm"}');
  });

  it("keeps what the platform reads of an output apart from the answer's fields", async () => {
    const rows = [{ name: "usedTools" }, { name: "json" }, { name: "content" }];
    const said = '{"usedTools":"u","json":"j","content":"c"}';
    const { outputOf } = await answering(agent(rows), [{ text: said }]);
    const { usedTools, json, content } = outputOf("m") as Record<string, Json>;
    assert.deepEqual([usedTools, json, content], [[], JSON.parse(said), "c"]);
  });

  it("refuses settings that make no schema", () => {
    for (const structuredOutput of ["{", "[]", "7", [{ name: "" }], [{ name: "a", type: "date" }], 5]) {
      const [finding] = findingsOf(llm(structuredOutput as Json));
      assert.equal(finding?.code, "node-config-invalid", JSON.stringify(structuredOutput));
      assert.match(finding?.path ?? "", /^structuredOutput/);
    }
  });
});
