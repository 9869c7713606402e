import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestReader } from "./testing/open-test-reader.ts";

const reader = openTestReader();

test("HTML becomes what a reader of the page reads, as Markdown", async () => {
  const page = `<!doctype html><html><head><title> The
    page </title><style>p { color: red }</style><script>alert("<p>no</p>")</script></head><body>
    <h1>Head&shy;ing</h1><p>One <b>bold</b>
      and <a href="http://example.com/a">a link</a>, <a href="#top">a place</a>, <a href="b.html">a page</a>.<br>Next line</p>
    <template><p>unseen</p></template>
    <ol><li>first</li><li>second<ul><li>nested</li></ul></li></ol>
    <table><tr><th>a</th><th>b</th></tr><tr><td><p>1</p><p>2</p></td><td></td></tr></table>
    <pre>  kept
      space</pre><noscript>unseen</noscript><p>end`;
  const { sections, metadata } = await reader.read("a.html", page);
  assert.equal(metadata.title, "The page");
  assert.equal(
    sections[0]?.text,
    [
      "# Head\u00ading",
      "One **bold** and [a link](http://example.com/a), a place, a page.\nNext line",
      "1. first\n2. second\n   - nested",
      "| a | b |\n| --- | --- |\n| 1 2 |  |",
      "```\n  kept\n      space\n```",
      "end",
    ].join("\n\n"),
  );
});

const text = "The lamp is lit at dusk and put out at dawn, every day of the year.";
for (const [what, page, expected] of [
  [
    "navigation, header and footer of the page",
    `<header>Site</header><nav>Home</nav><p>${text}</p><footer>©</footer>`,
    text,
  ],
  [
    "a banner in a wrapper",
    `<div id="page"><header><b>Site</b></header><h1>Lamp</h1><p>${text}</p></div>`,
    `# Lamp\n\n${text}`,
  ],
  [
    "the links of a manual's pages",
    `<div class="navheader"><table><tr><td>Prev<td>Next</table></div><p>${text}</p>`,
    text,
  ],
  ["not the header with the title", `<div><header><h1>Lamp</h1></header><p>${text}</p></div>`, `# Lamp\n\n${text}`],
  [
    "not the header of an article",
    `<article><header><h2>Lamp</h2></header><p>${text}</p></article>`,
    `## Lamp\n\n${text}`,
  ],
  ["a cookie notice", `<p>${text}</p><div class="cookie-notice">We bake.</div><div id="gdpr">Agree</div>`, text],
  ["an aside, a dialog, roles", `<aside>See</aside><dialog>Hi</dialog><div role="banner">Ad</div><p>${text}</p>`, text],
  ["what is hidden", `<p>${text}</p><p hidden>a</p><p aria-hidden="true">b</p>`, text],
  [
    "all beside the main part",
    `<div>Beside</div><main><p>${text} ${text}</p></main><div>Beside</div>`,
    `${text} ${text}`,
  ],
  ["nothing where nothing would be left", "<nav>Only links</nav>", "Only links"],
] as const) {
  test(`HTML leaves out: ${what}`, async () => {
    assert.equal(await reader.text("a.html", page), expected);
  });
}

test("a layout table keeps the blocks of its inner tables apart", async () => {
  const page = "<table><tr><td>before<table><tr><td>x</td><td>y</td></tr></table>after</td></tr></table>";
  assert.equal(await reader.text("a.htm", page), "before\n\n| x | y |\n| --- | --- |\n\nafter");
});

for (const [what, page, expected] of [
  ["lists that begin elsewhere", '<ol start="3"><li>c<li value="7">g<li>h</ol>', "3. c\n7. g\n8. h"],
  ["a list beside its item", "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"],
  ["a list in a list alone", "<ul><ul><li>a</li></ul></ul>", "- a"],
  [
    "a table of one column, which lays out",
    "<table><tr><td><h2>T</h2><ul><li>a</ul></td></tr><tr><td>b</table>",
    "## T\n\n- a\n\nb",
  ],
  ["a table that says that it lays out", '<table role="presentation"><tr><td>a<td>b</table>', "a\n\nb"],
  [
    "the caption of a table",
    "<table><caption>Prices</caption><tr><td>a<td>b</table>",
    "Prices\n\n| a | b |\n| --- | --- |",
  ],
] as const) {
  test(`HTML: ${what}`, async () => assert.equal(await reader.text("a.html", page), expected));
}
