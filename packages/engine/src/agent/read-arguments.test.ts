import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonSchema } from "@weft/schema";
import { readArguments } from "./read-arguments.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    count: { type: "integer", minimum: 1 },
    kind: { enum: ["a", "b"] },
    tags: { type: "array", items: { type: "string" } },
    where: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
  required: ["name"],
  additionalProperties: false,
};

function messageOf(text: string, of: JsonSchema = schema): string {
  const read = readArguments(text, of);
  assert.ok(!read.ok, text);
  return read.message;
}

describe("readArguments", () => {
  it("takes arguments that fit", () => {
    const args = { name: "Ada", count: 2, kind: "a", tags: ["x"], where: { city: "Ulm" } };
    assert.deepEqual(readArguments(JSON.stringify(args), schema), { ok: true, args });
  });

  it("takes empty text as no arguments", () => {
    for (const text of ["", "  \n"]) assert.deepEqual(readArguments(text, { type: "object" }), { ok: true, args: {} });
    assert.match(messageOf(""), /name/);
  });

  it("refuses what is no JSON object", () => {
    for (const text of ["{", "{'a': 1}", "name=Ada"])
      assert.match(messageOf(text), /not valid JSON.*Send a JSON object/s);
    for (const text of ["null", "[]", "1", '"x"']) assert.match(messageOf(text), /must be a JSON object/);
    assert.match(messageOf(`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, {}), /nested more than/);
  });

  it("says where and what is wrong, and what to do", () => {
    const wrong: Record<string, RegExp> = {
      '{"count":1}': /arguments: .*"name"/,
      '{"name":"A"}': /name: /,
      '{"name":"Ada","count":"2"}': /count: .*"integer"/,
      '{"name":"Ada","count":0}': /count: /,
      '{"name":"Ada","kind":"c"}': /kind: .*\["a","b"\]/,
      '{"name":"Ada","tags":["x",1]}': /tags\/1: .*"string"/,
      '{"name":"Ada","where":{}}': /where: .*"city"/,
      '{"name":"Ada","extra":1}': /extra: No such parameter exists/,
    };
    for (const [text, pattern] of Object.entries(wrong)) {
      assert.match(messageOf(text), pattern);
      assert.match(
        messageOf(text),
        /^The arguments do not match the tool's schema\. .* Correct them and call again\.$/,
      );
    }
  });

  it("names several faults at once, but not without end", () => {
    assert.match(messageOf('{"count":"x","kind":"c"}'), /count: .*kind: /);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`, 1]));
    assert.equal(messageOf(JSON.stringify(many)).match(/x\d+: /g)?.length, 4);
  });

  it("resolves references of a schema", () => {
    const withRef = { $defs: { id: { type: "number" } }, type: "object", properties: { id: { $ref: "#/$defs/id" } } };
    assert.ok(readArguments('{"id":1}', withRef).ok);
    assert.match(messageOf('{"id":"1"}', withRef), /id: .*"number"/);
  });

  it("does not call a tool whose schema is broken", () => {
    const broken: JsonSchema = { type: "object", properties: { a: { $ref: "#/$defs/gone" } } };
    assert.match(messageOf('{"a":"1"}', broken), /schema itself is broken/);
  });

  it("does not check what could take for ever, and checks the rest", () => {
    const name = { type: "string", pattern: "^(a+)+$" };
    const slow: JsonSchema = {
      type: "object",
      properties: { name, pattern: { type: "number" }, uniqueItems: { type: "boolean" } },
      allOf: [{ properties: { list: { type: "array", uniqueItems: true, items: name } } }],
      patternProperties: { "^x(a+)+$": { type: "string" } },
      additionalProperties: false,
    };
    const text = `${"a".repeat(60)}b`;
    const args = { name: text, list: [text, text], [`x${text}`]: 1, pattern: 1, uniqueItems: true };
    assert.deepEqual(readArguments(JSON.stringify(args), slow), { ok: true, args });
    assert.match(messageOf('{"pattern":"1"}', slow), /pattern: .*"number"/);
    assert.match(messageOf('{"list":[1]}', slow), /list\/0: .*"string"/);
    const values: JsonSchema = { type: "object", properties: { a: { enum: [{ pattern: "x" }] } } };
    assert.match(messageOf('{"a":{}}', values), /a: /);
    assert.ok(readArguments('{"a":{"pattern":"x"}}', values).ok);
  });

  it("keeps a prototype's name an ordinary key", () => {
    const read = readArguments('{"__proto__":{"x":1}}', { type: "object" });
    assert.ok(read.ok && Object.getPrototypeOf(read.args) === Object.prototype);
    assert.match(messageOf('{"name":"Ada","constructor":1}'), /constructor: No such parameter/);
  });
});
