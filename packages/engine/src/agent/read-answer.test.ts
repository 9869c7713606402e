import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type JsonSchema, WeftError } from "@weft/schema";
import type { ModelAnswer } from "../ports/chat-model.ts";
import { readAnswer, toAskedSchema } from "./read-answer.ts";

const schema: JsonSchema = {
  type: "object",
  properties: { city: { type: "string" }, size: { type: "number" } },
  required: ["city"],
  additionalProperties: false,
};
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const saying = (text: string): ModelAnswer => ({ text, toolCalls: [], finishReason: "stop", usage });
const read = (text: string, of: JsonSchema = schema) => readAnswer(saying(text), { name: "answer", schema: of }, false);

describe("readAnswer", () => {
  it("reads JSON, with or without a fence and white space", () => {
    for (const text of [
      '{"city":"Ulm"}',
      ' {"city":"Ulm"}\n',
      '```json\n{"city":"Ulm"}\n```',
      '```\n{"city":"Ulm"}```',
      '``` json \n\n\n{"city":"Ulm"}\n\n```',
    ]) {
      const { json, rejected, text: kept } = read(text);
      assert.deepEqual([json, rejected, kept], [{ city: "Ulm" }, undefined, '{"city":"Ulm"}']);
    }
    assert.deepEqual(read("[1, 2]", { type: "array", items: { type: "number" } }).json, [1, 2]);
  });

  it("takes nothing for a fence that is none", () => {
    for (const text of ["```", "````", "`````", "```````", '```js\n{"city":"Ulm"}\n```', '```{"city":"Ulm"}```']) {
      assert.equal(read(text).rejected?.text, text);
    }
    assert.equal(read(`\`\`\`${"\n".repeat(60_000)}`).rejected?.text.length, 60_003);
  });

  it("asks for a list as the value of an object, and reads it with or without one", () => {
    const list = { type: "array", items: { $ref: "#/$defs/name" }, $defs: { name: { type: "string" } } };
    assert.deepEqual(toAskedSchema({ name: "answer", schema: list }).schema, {
      type: "object",
      properties: { value: { type: "array", items: { $ref: "#/$defs/name" } } },
      required: ["value"],
      additionalProperties: false,
      $defs: { name: { type: "string" } },
    });
    assert.deepEqual(toAskedSchema({ name: "answer", schema }).schema, schema);
    for (const text of ['["Ulm"]', '{"value":["Ulm"]}']) {
      const { json, text: kept } = read(text, list);
      assert.deepEqual([json, kept], [["Ulm"], '["Ulm"]']);
    }
    assert.match(read('{"value":"Ulm"}', list).rejected?.problem ?? "", /array/);
  });

  it("says what is wrong, and keeps the words apart", () => {
    const problems: Record<string, RegExp> = {
      "It is Ulm.": /not valid JSON/,
      "": /not valid JSON/,
      '{"size":1}': /city/,
      '{"city":"Ulm","size":"big"}': /size: .*"number"/,
      '{"city":"Ulm","x":1}': /No such parameter|x/,
      "[]": /"object"/,
      [`${"[".repeat(2_000)}${"]".repeat(2_000)}`]: /nested more than/,
    };
    for (const [text, problem] of Object.entries(problems)) {
      const answer = read(text);
      assert.match(answer.rejected?.problem ?? "", problem, text);
      assert.deepEqual([answer.text, answer.rejected?.text, answer.json], ["", text, undefined]);
      assert.deepEqual(answer.usage, usage);
    }
  });

  it("rejects every answer when the schema cannot be applied", () => {
    const broken = { type: "object", properties: { city: { $ref: "#/$defs/gone" } } };
    assert.match(read('{"city":"Ulm"}', broken).rejected?.problem ?? "", /schema .* broken/);
  });

  it("fails where there is no further chance", () => {
    assert.throws(
      () => readAnswer(saying("no"), { name: "answer", schema }, true),
      (cause: unknown) => cause instanceof WeftError && cause.code === "model-invalid-answer" && cause.retryable,
    );
  });
});
