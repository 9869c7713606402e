import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTemplate } from "@weft/engine/template";
import fc from "fast-check";
import { parsePromptText } from "./prompt-text.ts";

const values: Readonly<Record<string, string>> = { a: "{{ question }}", b: "two" };
const render = (text: string) => parsePromptText(text).render((name) => values[name]);

describe("a prompt with variables", () => {
  it("becomes a native template", () => {
    const texts: [string, string][] = [
      ["Say {a} and {b}.", "Say {{ question }} and two."],
      ["{ a }", "{{ question }}"],
      ["{x} stays", "{x} stays"],
      ['{{"k": {a}}}', '{"k": {{ question }}}'],
      ['{"k": 1}', '{"k": 1}'],
      ["{{a}}", "{a}"],
      ["{{{a}}}", "{{{ question }}}"],
      ["{{{{a}}}}", "{{ $openBraces }}a}}"],
      ["{{{x}}}", "{{ $openBraces }}x}}"],
      ["In {{$vars.city}} at {{ $flow.chatId }}", "In {{$vars.city}} at {{ $flow.chatId }}"],
      ["{}", "{}"],
      ["a } b { c", "a } b { c"],
      ["", ""],
    ];
    for (const [text, expected] of texts) assert.equal(render(text), expected, text);
  });

  it("names its variables once", () => {
    assert.deepEqual(parsePromptText("{a} {b} {a} {{c}} {d: 1}").variables, ["a", "b"]);
  });

  it("never makes a reference of words", () => {
    const pieces = fc.constantFrom("{", "{{", "}", "}}", "x", "{x}", " ", "$vars", ".");
    fc.assert(
      fc.property(
        fc.array(pieces).map((list) => list.join("")),
        (text) => {
          const references = parseTemplate(parsePromptText(text).render(() => undefined)).filter(
            (part) => part.kind === "reference",
          );
          assert.deepEqual(
            references.map(({ path }) => path[0]).filter((name) => name !== "$vars" && name !== "$openBraces"),
            [],
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
