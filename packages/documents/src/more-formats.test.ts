import assert from "node:assert/strict";
import { test } from "node:test";
import { buildZip } from "./testing/office-files.ts";
import { openTestReader } from "./testing/open-test-reader.ts";

const reader = openTestReader();

const srt =
  "1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>It is</i> lit.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n{\\an8}At dusk.\r\n";
const vtt =
  "WEBVTT - Lamp\n\nNOTE unseen\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v.loud Ann Lee>Is it &lt;lit&gt;?\n\n00:02.000 --> 00:03.000\nYes.\n\n00:03.000 --> 00:04.000\nYes.\nIndeed.\n";

for (const [name, file, expected] of [
  ["a.srt", srt, "It is lit.\nAt dusk."],
  ["a.vtt", vtt, "Ann Lee: Is it <lit>?\nYes.\nIndeed."],
] as const) {
  test(`${name}: what is said, without times and marks`, async () => {
    assert.equal(await reader.text(name, file), expected);
  });
}

test("subtitles without a cue are refused", async () => {
  await reader.refuses("a.vtt", "WEBVTT\n\nNOTE nothing", /it contains no text/);
});

const cell = (type: string, source: string | string[], outputs: object[] = []) => ({
  cell_type: type,
  source,
  outputs,
});
const notebook = (cells: object[]) =>
  JSON.stringify({ nbformat: 4, metadata: { language_info: { name: "python" } }, cells });

test("a notebook is its texts, its code and what that printed", async () => {
  const file = notebook([
    cell("markdown", ["# Lamp\n", "It is lit."]),
    cell("code", "print(1)", [
      { text: ["1\n"] },
      { data: { "image/png": "iVBO", "text/plain": "2" } },
      { evalue: "x" },
    ]),
    cell("code", "s = '```'"),
    cell("markdown", ""),
    cell("raw", "as it is"),
  ]);
  assert.equal(
    await reader.text("a.ipynb", file),
    "# Lamp\nIt is lit.\n\n```python\nprint(1)\n```\n\n```\n1\n2\n```\n\n~~~~python\ns = '```'\n~~~~\n\nas it is",
  );
  const old = JSON.stringify({
    worksheets: [
      {
        cells: [
          { cell_type: "code", input: ["x"] },
          { cell_type: "heading", source: "H" },
        ],
      },
    ],
  });
  assert.equal(await reader.text("a.ipynb", old), "```\nx\n```\n\n# H");
});

test("a notebook prints no more than so much, and may be damaged", async () => {
  const long = await reader.text("a.ipynb", notebook([cell("code", "f()", [{ text: "y".repeat(50_000) }])]));
  assert.ok(long.length < 2_100);
  await reader.refuses("a.ipynb", "{", /it is not valid JSON/);
  await reader.refuses("a.ipynb", '{"__proto__": {"cells": []}, "cells": 7}', /it is no Jupyter notebook with cells/);
  await reader.refuses("a.ipynb", `{"cells":${"[".repeat(100_000)}`, /nested more than 5000 levels deep/);
});

const container = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>';
const item = (id: string, href: string, more = "") =>
  `<item id="${id}" href="${href}" media-type="application/xhtml+xml" ${more}/>`;
const manifest =
  item("n", "nav.xhtml", 'properties="nav"') +
  item("b", "b.xhtml") +
  item("a", "text/a%201.xhtml") +
  item("x", "../../../etc/passwd");
const opf = `<package><metadata><dc:title>The lamp</dc:title><dc:title>Other</dc:title></metadata><manifest>${manifest}</manifest><spine>${["n", "a", "b", "x", "none"].map((id) => `<itemref idref="${id}"/>`).join("")}</spine></package>`;
const book = {
  mimetype: "application/epub+zip",
  "META-INF/container.xml": container,
  "OEBPS/book.opf": opf,
  "OEBPS/nav.xhtml": "<nav><ol><li>Contents</li></ol></nav>",
  "OEBPS/b.xhtml": "<html><body><h2>Two</h2><table><tr><td>a</td><td>b</td></tr></table></body></html>",
  "OEBPS/text/a 1.xhtml":
    "<?xml version='1.0'?><html><head><title>t</title></head><body><h1>One</h1><p>It is lit.</p></body></html>",
};

test("EPUB: chapters in the order of the book", async () => {
  const content = await reader.read("a.epub", buildZip(book));
  assert.deepEqual(content, {
    format: "epub",
    metadata: { title: "The lamp" },
    sections: [
      { text: "# One\n\nIt is lit.", metadata: { chapter: 1 } },
      { text: "## Two\n\n| a | b |\n| --- | --- |", metadata: { chapter: 2 } },
    ],
  });
});

test("EPUB: what cannot be read says why", async () => {
  await reader.refuses("a.epub", "plain", /it is called epub, and its content is not/);
  await reader.refuses("a.epub", buildZip({ "a.txt": "x" }), /its content is another zip archive/);
  await reader.refuses("a.epub", buildZip({ "META-INF/container.xml": "<a/>" }), /its main part is missing/);
  await reader.refuses("a.epub", buildZip({ "META-INF/container.xml": container }), /its main part is missing/);
  await reader.refuses("a.epub", buildZip({ ...book, "META-INF/rights.xml": "<a/>" }), /protected against copying/);
  const bomb = { ...book, "OEBPS/b.xhtml": " ".repeat(50_000_000) };
  await reader.refuses("a.epub", buildZip(bomb), /grows beyond all measure/);
  const deep = { ...book, "OEBPS/b.xhtml": "<b>".repeat(1_000) };
  await reader.refuses("a.epub", buildZip(deep), /nested more than 500 levels deep/);
});
