import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parsePath, parseTemplate } from "./render-template.ts";

const sourceOf = (text: string) =>
  parseTemplate(text)
    .map((part) => (part.kind === "text" ? part.text : part.source))
    .join("");

describe("parseTemplate", () => {
  it("splits text and references", () => {
    assert.deepEqual(parseTemplate("a {{ b.c }} d{{e}}"), [
      { kind: "text", text: "a " },
      { kind: "reference", path: ["b", "c"], source: "{{ b.c }}" },
      { kind: "text", text: " d" },
      { kind: "reference", path: ["e"], source: "{{e}}" },
    ]);
    assert.deepEqual(parseTemplate(""), []);
    assert.deepEqual(parseTemplate("no braces"), [{ kind: "text", text: "no braces" }]);
  });

  it("reads paths with dots, indices, dollars, hyphens and letters of any script", () => {
    const paths: Record<string, string[] | undefined> = {
      question: ["question"],
      "$flow.state.x": ["$flow", "state", "x"],
      "llm_0.output.items[2].name": ["llm_0", "output", "items", "2", "name"],
      "a[0][1]": ["a", "0", "1"],
      "a[-1].b": ["a", "-1", "b"],
      "$form.first-name": ["$form", "first-name"],
      "größe.名前": ["größe", "名前"],
      _x: ["_x"],
      "$webhook.body.x": ["$webhook", "body", "x"],
    };
    for (const [text, path] of Object.entries(paths)) assert.deepEqual(parsePath(text), path, text);
  });

  it("keeps as text what is no path", () => {
    const literal = [
      "{{ }}",
      "{{}}",
      "{{ a b }}",
      "{{ a. }}",
      "{{ .a }}",
      "{{ a..b }}",
      "{{ a[x] }}",
      "{{ a[--1] }}",
      "{{ a[1 }}",
      "{{ 1 + 1 }}",
      "{{ a() b }}",
      "{{ a",
      "a }}",
      "{ { a } }",
      "{{ {a} }}",
    ];
    for (const text of literal) assert.deepEqual(parseTemplate(text), [{ kind: "text", text }], text);
  });

  it("finds a reference beside stray braces", () => {
    assert.deepEqual(parseTemplate("{{{ a }}}"), [
      { kind: "text", text: "{" },
      { kind: "reference", path: ["a"], source: "{{ a }}" },
      { kind: "text", text: "}" },
    ]);
    assert.equal(parseTemplate("{{ x y }} {{ a }}").filter((part) => part.kind === "reference").length, 1);
  });

  it("loses no character of any text", () => {
    const pieces = fc.constantFrom("{{", "}}", "{", "}", " ", "a", ".b", "[0]", "$", "\n", "é", "😀", "{{ a }}");
    fc.assert(
      fc.property(
        fc.array(pieces).map((list) => list.join("")),
        (text) => sourceOf(text) === text,
      ),
    );
  });

  it("splits texts of any length", () => {
    for (const text of [`{{${" ".repeat(200_000)}`, "{{ ".repeat(100_000), `{{ a${".b".repeat(50_000)}`]) {
      assert.equal(sourceOf(text), text);
    }
    assert.deepEqual(parseTemplate(`{{${" ".repeat(100_000)}a}}`).length, 1);
  });
});
