import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { splitMarkdown } from "./markdown-blocks.ts";

const split = (text: string) => {
  const blocks = splitMarkdown(text);
  assert.equal(blocks.join(""), text);
  return blocks.length;
};

describe("Markdown that is being written", () => {
  it("is cut between paragraphs and headings", () => {
    assert.deepEqual(splitMarkdown("One\n\nTwo\nstill two\n\n# Three\n"), [
      "One\n\n",
      "Two\nstill two\n\n",
      "# Three\n",
    ]);
    assert.equal(split(""), 0);
    assert.equal(split("\n\n\n"), 1);
  });

  it("keeps lists, tables, quotations and code whole", () => {
    for (const text of [
      "- a\n\n- b\n\n  more of b\n",
      "1. a\n\n2. b\n",
      "> a\n\n> b\n",
      "| a |\n|---|\n| b |\n",
      "```js\na\n\nb\n```\n",
      "~~~~\n```\n\nx\n~~~\n\ny\n~~~~\n",
      "```\nnever closed\n\nstill code\n\n# no heading\n",
      "[a]: http://example.com\n\n[b]: http://example.com\n",
    ]) {
      assert.equal(split(text), 1, text);
    }
    assert.equal(split("```\na\n```\n\nAfter\n"), 2);
  });

  it("never changes what was cut before, as text is added", () => {
    const text = "# A\n\nOne two\n\n- x\n\n- y\n\nThree\n\n```\ncode\n\nmore\n```\n\nEnd";
    for (let length = 1; length < text.length; length += 1) {
      const before = splitMarkdown(text.slice(0, length)).slice(0, -1);
      assert.deepEqual(splitMarkdown(text.slice(0, length + 1)).slice(0, before.length), before, text.slice(0, length));
    }
  });
});
