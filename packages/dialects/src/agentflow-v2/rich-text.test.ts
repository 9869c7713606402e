import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isOtherHtml, toMarkdown } from "./rich-text.ts";

describe("toMarkdown", () => {
  it("turns the editor's HTML into Markdown", () => {
    const texts: [string, string][] = [
      ["<p>Be kind.</p><p>Be  brief.</p><p></p>", "Be kind.\n\nBe brief."],
      ['<p>At <span class="variable" data-type="mention" data-id="x">{{ $form.at }}</span> </p>', "At {{ $form.at }}"],
      ["<p>a<br>b<br/> c</p>", "a\nb\nc"],
      ["<p>1 &lt; 2 &amp;&amp; &quot;x&quot;&nbsp;y</p>", '1 < 2 && "x"\u00a0y'],
      [
        "<h2>Title</h2><p><strong>bold</strong>, <em>it</em>, <s>no</s>, <code>x_y</code></p>",
        "## Title\n\n**bold**, _it_, ~~no~~, `x_y`",
      ],
      ["<ul><li><p>one</p></li><li><p>two</p><ul><li>in</li></ul></li></ul><p>end</p>", "- one\n- two\n  - in\n\nend"],
      ["<ol><li>one</li><li><p>two</p><p>more</p></li></ol>", "1. one\n2. two\n  more"],
      ["<blockquote><p>said</p><p>so</p></blockquote><hr><p>x</p>", "> said\n\n> so\n\n---\n\nx"],
      ["<pre><code>if (a) {\n  b();\n}\n</code></pre>", "```\nif (a) {\n  b();\n}\n```"],
      [
        '<p><a href="https://a.example/">https://a.example</a> <a href="/b">here</a></p>',
        "https://a.example [here](/b)",
      ],
      ['<p>{"a": "{{ question }}"}</p>', '{"a": "{{ question }}"}'],
      ["<p>open <strong>never closed", "open **never closed**"],
      ["<p><constructor>x</constructor></p></ul></blockquote>", "x"],
    ];
    for (const [html, markdown] of texts) assert.equal(toMarkdown(html), markdown, html);
  });

  it("leaves every other text as it is", () => {
    for (const text of ["", "# Title\n\n- *one*", "a <p>b</p>", "<b>x</b>", "<party>", "{{ question }}", "1 < 2"]) {
      assert.equal(toMarkdown(text), text);
    }
  });

  it("keeps HTML that an author wrote", () => {
    for (const text of ["<table><tr><td>1</td></tr></table>", " <div>x</div>"]) {
      assert.equal(toMarkdown(text), text);
      assert.ok(isOtherHtml(text));
    }
    assert.ok(!isOtherHtml("<p>x</p>"));
    assert.ok(!isOtherHtml("<divine>"));
  });

  it("takes long and deep texts", () => {
    assert.equal(toMarkdown(`<p>${"a &amp; ".repeat(20_000)}</p>`).length, 20_000 * 4 - 1);
    assert.match(toMarkdown(`<p>x</p>${"<ul><li>".repeat(2_000)}y`), /y$/);
  });
});
