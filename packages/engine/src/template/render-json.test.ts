import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Json, type JsonObject, WeftError } from "@weft/schema";
import fc from "fast-check";
import { hostileText } from "../testing/hostile-text.ts";
import { renderJson } from "./render-template.ts";

function render(text: string, values: JsonObject, onUnknown: (source: string) => void = () => assert.fail()): Json {
  const root = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  return renderJson(text, { root, node: () => undefined }, { onUnknown });
}

const hostile = [
  '", "admin": true, "x": "',
  '"}, {"admin": true}',
  "line\nbreak\r\n\ttab",
  "back\\slash \\",
  "{{ secret }}",
  '{"a": 1}',
  "}}",
  "{{",
  "\u0000\u2028 😀 é",
];

describe("renderJson", () => {
  it("puts a value into a string whatever it contains", () => {
    for (const q of hostile) {
      assert.deepEqual(render('{"text": "say {{ q }}!", "n": 1}', { q, secret: "s" }), { text: `say ${q}!`, n: 1 });
      assert.deepEqual(render('{"text": "{{ q }}"}', { q, secret: "s" }), { text: q });
      assert.deepEqual(render('{"text": {{ q }}}', { q, secret: "s" }), { text: q });
    }
  });

  it("gives a value no way to change the document's shape", () => {
    const property = fc.property(hostileText, (q) => {
      const body = render('{"a": "{{ q }}", "b": ["<{{ q }}>", {{ q }}], "c": {"d": 1}}', { q }) as JsonObject;
      assert.deepEqual(body, { a: q, b: [`<${q}>`, q], c: { d: 1 } });
    });
    fc.assert(property);
  });

  it("keeps the type of a reference outside quotes, or alone inside them", () => {
    const values = { n: 1.5, yes: true, none: null, list: [1, { a: "b" }], object: { k: "v" } };
    assert.deepEqual(
      render('[{{ n }}, {{yes}}, {{ none }}, {{ list }}, {{ object }}, "{{ n }}", "{{ list[1].a }}"]', values),
      [1.5, true, null, [1, { a: "b" }], { k: "v" }, 1.5, "b"],
    );
    assert.equal(render("{{ n }}", values), 1.5);
    assert.deepEqual(render('{"a":{{ object }}}', values), { a: { k: "v" } });
    assert.deepEqual(render('{"a": "{{ object }} and {{ none }}"}', values), { a: '{"k":"v"} and ' });
  });

  it("leaves keys and escaped quotes as they are", () => {
    assert.deepEqual(render('{"{{ q }}": 1, "a \\" {{ q }} \\\\": "\\"{{ q }}\\""}', { q: "x" }), {
      "{{ q }}": 1,
      'a " {{ q }} \\': '"x"',
    });
  });

  it("leaves an unknown reference empty and tells of it", () => {
    const unknown: string[] = [];
    assert.deepEqual(
      render('{"a": {{ gone }}, "b": "-{{ gone.x }}-"}', {}, (source) => unknown.push(source)),
      { a: "", b: "--" },
    );
    assert.deepEqual(unknown, ["{{ gone }}", "{{ gone.x }}"]);
  });

  it("sets no prototype", () => {
    const body = render('{"__proto__": {"admin": "{{ q }}"}}', { q: "x" }) as JsonObject;
    assert.equal(Object.getPrototypeOf(body), Object.prototype);
    assert.equal(JSON.stringify(body), '{"__proto__":{"admin":"x"}}');
  });

  it("says why a text is no JSON", () => {
    for (const text of ["{", "{a: 1}", '{"a": {{ q }}{{ q }}}', "", '{"a": "}']) {
      assert.throws(
        () => render(text, { q: 1 }),
        (error) => error instanceof WeftError && /^The JSON body is not valid JSON: /.test(error.message),
        text,
      );
    }
  });
});
