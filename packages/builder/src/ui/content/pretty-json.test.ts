import assert from "node:assert/strict";
import { it } from "node:test";
import { prettyJson, prettyText, splitContent } from "./format.ts";

it("data is written so that people can read it, and text is left as it is", () => {
  assert.deepEqual(
    [prettyJson("a"), prettyJson({ a: 1 }), prettyJson({ a: 1 }, 0)],
    ["a", '{\n  "a": 1\n}', '{"a":1}'],
  );
  assert.deepEqual([prettyText("plain"), prettyText("[1"), prettyText(" [1]")], ["plain", "[1", "[\n  1\n]"]);
});

it("the text of an output stands apart from its data", () => {
  assert.deepEqual(splitContent({ content: "Hello" }), { text: "Hello" });
  assert.deepEqual(splitContent({ content: "Hello", usage: 7 }), { text: "Hello", rest: { usage: 7 } });
  for (const value of [{ content: [1] }, { other: "x" }, [1], "text", 7, null]) {
    assert.deepEqual(splitContent(value), { rest: value });
  }
});
