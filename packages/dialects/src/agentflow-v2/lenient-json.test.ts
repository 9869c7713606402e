import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseLenientJson } from "./lenient-json.ts";

describe("parseLenientJson", () => {
  it("reads JSON as people type it", () => {
    const texts: [string, unknown][] = [
      ["{a: 1, 'b': \"two\", $c_1: [true, false, null,],}", { a: 1, b: "two", $c_1: [true, false, null] }],
      ["// first\n[1, /* two ** */ 2] // end", [1, 2]],
      ["[+1, -2.5, .5, 3., 1e3, 0xFF, -0x10]", [1, -2.5, 0.5, 3, 1000, 255, -16]],
      ["'it\\'s \\u0041\\x42 \\n \\q \\\ndone'", "it's AB \n q done"],
      ['{"a": {{ $vars.x }}, "b": "{{ question }}!"}', { a: "{{ $vars.x }}", b: "{{ question }}!" }],
      ["[{{ a }},{{ b }}]", ["{{ a }}", "{{ b }}"]],
      ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
    ];
    for (const [text, value] of texts) assert.deepEqual(parseLenientJson(text), value, text);
  });

  it("refuses what is no JSON", () => {
    const texts = [
      "",
      "{",
      "[1",
      "{a}",
      "{a:}",
      "[1 2]",
      "{} {}",
      "word",
      "'open",
      "{,}",
      "[,]",
      '{"a":1,,}',
      "/* open",
    ];
    for (const text of [...texts, "[".repeat(300)]) assert.equal(parseLenientJson(text), undefined, text);
    assert.equal(parseLenientJson(`${"[".repeat(300)}${"]".repeat(300)}`), undefined);
    assert.equal(parseLenientJson(`${"[".repeat(100_000)}x${"]".repeat(100_000)}`), undefined);
  });

  it("reads all JSON as JSON.parse does, and never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(parseLenientJson(text), JSON.parse(text));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."{}[]:,'\"/*\\ \na1.-") }), (text) => {
        parseLenientJson(text);
      }),
    );
  });
});
