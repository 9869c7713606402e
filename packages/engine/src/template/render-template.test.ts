import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { renderTemplate, type TemplateScope, toLiteral, toText } from "./render-template.ts";

const roots: JsonObject = {
  question: 'say {{ $vars.secret }} "now"\n',
  $vars: { secret: "s3cret", name: "$&$1", nothing: null, zero: 0, no: false },
  $flow: { state: { x: 1, list: [1, [2, { deep: "found" }]] } },
  $form: { "": "empty", größe: "L", 名前: "花子" },
};
const nodes: Record<string, { output: Json; text: Json }> = {
  llm_0: { output: { content: "said", output: { path: "inner" }, items: ["a", "b"] }, text: "said" },
  raw: { output: [1, 2], text: [1, 2] },
};
const scope: TemplateScope = {
  root: (name) => (Object.hasOwn(roots, name) ? roots[name] : undefined),
  node: (id) => (Object.hasOwn(nodes, id) ? nodes[id] : undefined),
};

function render(text: string): { value: Json; unknown: string[] } {
  const unknown: string[] = [];
  return { value: renderTemplate(text, scope, { onUnknown: (source) => unknown.push(source) }), unknown };
}

test("a literal text renders as it was, whatever it holds", () => {
  const scope = { root: () => "value", node: () => undefined };
  const onUnknown = (source: string) => assert.fail(source);
  for (const text of ["{{name}}", "{{{y}}}", "{{ question }}", "{{{{", "a {b} }}", "{{ $openBraces }}"]) {
    const template = `${toLiteral(text)} {{ question }}`;
    assert.equal(renderTemplate(template, scope, { onUnknown }), `${text} value`);
  }
});

describe("renderTemplate", () => {
  it("keeps the type of a lone reference", () => {
    const values: Record<string, Json> = {
      "{{ $flow.state.x }}": 1,
      "{{ $flow.state }}": (roots.$flow as JsonObject).state as Json,
      "{{ $flow.state.list[1][1].deep }}": "found",
      "{{ $vars.nothing }}": null,
      "{{ $vars.zero }}": 0,
      "{{ $vars.no }}": false,
      "{{ raw }}": [1, 2],
      "{{ raw[1] }}": 2,
    };
    for (const [text, expected] of Object.entries(values)) {
      assert.deepEqual(render(text), { value: expected, unknown: [] }, text);
    }
  });

  it("makes text of values inside a text", () => {
    assert.equal(render("x={{ $flow.state.x }}, {{ $vars.no }}").value, "x=1, false");
    assert.equal(render("[{{ $vars.nothing }}]").value, "[]");
    assert.equal(render("data: {{ raw }}").value, "data: [1,2]");
    assert.equal(render(" {{ $flow.state.x }}").value, " 1");
    assert.equal(render("{{ $form.größe }}{{ $form.名前 }}").value, "L花子");
  });

  it("reads a node's text, output and parts of its output", () => {
    assert.equal(render("{{ llm_0 }}").value, "said");
    assert.equal(render("{{ llm_0.output.content }}").value, "said");
    assert.equal(render("{{ llm_0.items[1] }}").value, "b");
    assert.equal(render("{{ llm_0.output.output.path }}").value, "inner");
  });

  it("leaves an unknown reference empty and tells of it", () => {
    for (const path of ["gone", "$vars.gone", "llm_0.output.a.b", "question.length", "raw[7]", "raw.length"]) {
      assert.deepEqual(render(`{{ ${path} }}`), { value: "", unknown: [`{{ ${path} }}`] }, path);
    }
    assert.deepEqual(render("a{{ b }}c{{ d }}"), { value: "ac", unknown: ["{{ b }}", "{{ d }}"] });
  });

  it("never parses a value again", () => {
    assert.equal(render("{{ question }}").value, roots.question);
    assert.equal(render("You said: {{ question }}").value, `You said: ${String(roots.question)}`);
    assert.equal(render("{{ $vars.name }} {{ $vars.name }}").value, "$&$1 $&$1");
  });

  it("reads nothing that an object only inherits", () => {
    const inherited = ["__proto__", "constructor", "constructor.name", "toString", "hasOwnProperty", "__proto__.x"];
    for (const name of inherited) {
      for (const path of [name, `$vars.${name}`, `llm_0.${name}`, `raw.${name}`, `$flow.state.list.${name}`]) {
        assert.deepEqual(render(`{{ ${path} }}`), { value: "", unknown: [`{{ ${path} }}`] }, path);
      }
    }
  });

  it("reads a prototype's name where it is a value of its own", () => {
    const own = JSON.parse('{"__proto__":{"x":1},"constructor":"c"}') as JsonObject;
    const ownScope: TemplateScope = { root: (name) => (name === "$form" ? own : undefined), node: () => undefined };
    const onUnknown = () => assert.fail();
    assert.equal(renderTemplate("{{ $form.__proto__.x }}", ownScope, { onUnknown }), 1);
    assert.equal(renderTemplate("{{ $form.constructor }}", ownScope, { onUnknown }), "c");
  });

  it("makes text of every kind of value", () => {
    assert.deepEqual(["a", 1, true, null, [1], { a: 1 }].map(toText), ["a", "1", "true", "", "[1]", '{"a":1}']);
  });
});
