import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { processorMs } from "../../../schema/src/testing/processor-time.ts";
import { parseMarkdown, toSafeAddress } from "./parse-markdown.ts";

const text = (content: string) => ({ type: "text", text: content });
const paragraph = (...content: object[]) => ({ type: "paragraph", content });
const link = (href: string, label = href) => ({ type: "link", href, content: [text(label)] });

describe("Markdown of models", () => {
  it("has marks inside of lines", () => {
    assert.deepEqual(parseMarkdown("A **bold *and* slanted** `a * b` ~~gone~~ snake_case_name 2 * 3 * 4"), [
      paragraph(
        text("A "),
        { type: "strong", content: [text("bold "), { type: "emphasis", content: [text("and")] }, text(" slanted")] },
        text(" "),
        { type: "code", text: "a * b" },
        text(" "),
        { type: "deleted", content: [text("gone")] },
        text(" snake_case_name 2 * 3 * 4"),
      ),
    ]);
    assert.deepEqual(parseMarkdown(String.raw`\*not\* slanted`), [paragraph(text("*not* slanted"))]);
    assert.deepEqual(parseMarkdown("one\ntwo"), [paragraph(text("one"), { type: "break" }, text("two"))]);
  });

  it("has headings, rules, quotes and code", () => {
    assert.deepEqual(parseMarkdown("## Title\n---\n> said\n> so\n```ts\na < b\n\n* c\n```\nend"), [
      { type: "heading", level: 2, content: [text("Title")] },
      { type: "rule" },
      { type: "quote", blocks: [paragraph(text("said"), { type: "break" }, text("so"))] },
      { type: "code", language: "ts", text: "a < b\n\n* c" },
      paragraph(text("end")),
    ]);
    assert.deepEqual(parseMarkdown("```\nbeing written"), [{ type: "code", language: "", text: "being written" }]);
  });

  it("has lists in lists, also with blank lines between", () => {
    const item = (content: string, ...more: object[]) => [paragraph(text(content)), ...more];
    const inner = { type: "list", isOrdered: false, start: 1, items: [item("x"), item("y")] };
    const list = { type: "list", isOrdered: true, start: 3, items: [item("a", inner), item("b")] };
    assert.deepEqual(parseMarkdown("3. a\n   - x\n   - y\n4. b"), [list]);
    assert.deepEqual(parseMarkdown("3. a\n\n   - x\n   - y\n\n4. b\n\nend"), [list, paragraph(text("end"))]);
  });

  it("has tables", () => {
    assert.deepEqual(parseMarkdown("| a | b |\n|---|:-:|\n| 1 | x \\| y |\n| 2 |"), [
      {
        type: "table",
        head: [[text("a")], [text("b")]],
        rows: [
          [[text("1")], [text("x | y")]],
          [[text("2")], []],
        ],
      },
    ]);
  });

  it("links to what is safe to open, and leaves the rest as text", () => {
    assert.deepEqual(parseMarkdown("[site](https://a.example/x_(y)) ![cat](https://a.example/cat.png)"), [
      paragraph(link("https://a.example/x_(y)", "site"), text(" "), link("https://a.example/cat.png", "cat")),
    ]);
    assert.deepEqual(parseMarkdown("See https://a.example/b, or <https://c.example/>."), [
      paragraph(text("See "), link("https://a.example/b"), text(", or "), link("https://c.example/"), text(".")),
    ]);
    for (const address of [
      "javascript:alert(1)",
      "JAVASCRIPT:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "/path",
      "",
    ]) {
      assert.equal(toSafeAddress(address), undefined, address);
      const [block] = parseMarkdown(`[x](${address})`);
      assert.equal(JSON.stringify(block).includes('"link"'), false, address);
    }
    assert.equal(toSafeAddress("mailto:a@b.example"), "mailto:a@b.example");
  });

  it("keeps HTML as text", () => {
    const html = '<img src="x" onerror="alert(1)">';
    assert.deepEqual(parseMarkdown(html), [paragraph(text(html))]);
  });

  it("reads any text, with every letter and digit of it", () => {
    const piece = fc.constantFrom(
      "*",
      "_",
      "`",
      "[a](",
      "https://x.y/",
      ")",
      "\n",
      "- ",
      "> ",
      "|",
      "---",
      "1. ",
      "ab",
      " ",
      "~~",
      "\\",
      "#",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const given = pieces.join("");
        const shown = JSON.stringify(parseMarkdown(given));
        const count = (all: string) => all.split("ab").length - 1;
        return count(shown) >= count(given);
      }),
    );
  });

  it("takes linear time for text that means to take longer", () => {
    for (const bad of [
      "*a ".repeat(20_000),
      "[".repeat(50_000),
      "`".repeat(50_000),
      "> ".repeat(20_000),
      "_a".repeat(20_000),
      "![a](".repeat(10_000),
    ]) {
      const begun = processorMs();
      parseMarkdown(bad);
      const tookMs = processorMs() - begun;
      assert.ok(tookMs < 3_000, `${bad.slice(0, 10)} took ${tookMs} ms`);
    }
  });
});
