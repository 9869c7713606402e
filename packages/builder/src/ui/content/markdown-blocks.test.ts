import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { linkCitations, numberOfLink, splitMarkdown, toPlainText } from "./markdown-blocks.ts";

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

describe("Markdown in a list", () => {
  it("is one line without its marks", () => {
    assert.equal(
      toPlainText("# Order\n\nIt is **€ 74.70**, see [the `list`](https://example.com).\n"),
      "Order It is € 74.70, see the list.",
    );
    assert.equal(
      toPlainText("> Quoted\n- *one*\n- __two__\n```js\nlet a = b;\n```\n![A mug](mug.png)"),
      "Quoted one two let a = b; A mug",
    );
  });

  it("keeps what only looks like a mark", () => {
    for (const text of [
      "3 * 24.90 * 2",
      "snake_case_name and __init",
      "a -> b",
      "2 ** 8 is 2**8",
      "[x] (y)",
      "€ 4,120.00 #4711",
    ]) {
      assert.equal(toPlainText(text), text);
    }
  });
});

const text = (value: string) => ({ type: "text", value });
const paragraph = (...children: object[]) => ({ type: "root", children: [{ type: "paragraph", children }] });

describe("citations in Markdown", () => {
  it("are links, where their numbers are known", () => {
    const tree = paragraph(text("Shade [1] and [2]."), { type: "strong", children: [text("[1]")] });
    linkCitations(new Set([1]))(tree as never);
    const cited = { type: "link", url: "#citation-1", children: [text("[1]")] };
    assert.deepEqual(tree, paragraph(text("Shade "), cited, text(" and [2]."), { type: "strong", children: [cited] }));
  });

  it("are none in links and code", () => {
    const tree = () =>
      paragraph({ type: "link", url: "x", children: [text("[1]")] }, { type: "inlineCode", value: "a[1]" });
    const linked = tree();
    linkCitations(new Set([1]))(linked as never);
    assert.deepEqual(linked, tree());
  });

  it("are told from other links by their address", () => {
    assert.equal(numberOfLink("#citation-12"), 12);
    assert.equal(numberOfLink("https://a.example/#citation-12"), 0);
  });
});
