import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  isJsonObject,
  parseJson,
  parseJsonObject,
  parseJsonOrText,
  textOrEmpty,
  toJsonList,
  toJsonObject,
} from "./json.ts";

const others = [null, undefined, true, 0, "", "{}", [], [{}], new Uint8Array(2), new DataView(new ArrayBuffer(2))];

describe("JSON values", () => {
  it("tells objects from lists, null and everything else", () => {
    for (const object of [{}, { a: 1 }, Object.create(null), JSON.parse('{"__proto__":1}')]) {
      assert.equal(isJsonObject(object), true);
    }
    for (const other of others) assert.equal(isJsonObject(other), false);
  });

  it("returns what has the shape as it is, and something empty otherwise", () => {
    const [object, list] = [{ a: 1 }, [1]];
    assert.equal(toJsonObject(object), object);
    assert.equal(toJsonList(list), list);
    assert.equal(textOrEmpty("a"), "a");
    for (const other of others) assert.deepEqual(toJsonObject(other), {});
    for (const other of [null, undefined, "[]", { length: 1 }]) assert.deepEqual(toJsonList(other), []);
    for (const other of [null, undefined, 1, ["a"]]) assert.equal(textOrEmpty(other), "");
  });

  it("parses JSON text and never throws", () => {
    assert.deepEqual(parseJson(' {"a":[1,null]} '), { a: [1, null] });
    assert.equal(parseJson("null"), null);
    for (const text of ["", "undefined", "{a:1}", "[1,]", "'a'"]) assert.equal(parseJson(text), undefined);
  });

  it("parses the text of an object only", () => {
    assert.deepEqual(parseJsonObject('{"a":1}'), { a: 1 });
    for (const text of ["null", "[]", '"{}"', "1", "{"]) assert.equal(parseJsonObject(text), undefined);
  });

  it("keeps text that is not JSON, and null that is", () => {
    assert.equal(parseJsonOrText("null"), null);
    assert.equal(parseJsonOrText("false"), false);
    assert.equal(parseJsonOrText("hello"), "hello");
    assert.equal(parseJsonOrText(""), "");
  });

  it("sets no prototype from a member of that name", () => {
    const value = parseJsonObject('{"__proto__":{"isAdmin":true}}');
    assert.ok(value && Object.hasOwn(value, "__proto__"));
    assert.equal(value.isAdmin, undefined);
  });
});
