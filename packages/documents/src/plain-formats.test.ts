import assert from "node:assert/strict";
import { test } from "node:test";
import { detectFormat, toText } from "./index.ts";
import { buildDocx, buildXlsx, buildZip, wordParagraph } from "./testing/office-files.ts";
import { openTestReader } from "./testing/open-test-reader.ts";
import { buildPdf } from "./testing/pdf-files.ts";

const reader = openTestReader();
const bytes = (text: string) => Buffer.from(text, "latin1");

test("text is decoded by its mark, as UTF-8, else as Windows-1252", async () => {
  assert.equal(await reader.text("a.txt", "\ufeffZürich €"), "Zürich €");
  assert.equal(await reader.text("a.txt", Buffer.from("\ufeffZürich", "utf16le")), "Zürich");
  assert.equal(await reader.text("a.txt", Buffer.from("\ufeffZürich", "utf16le").swap16()), "Zürich");
  assert.equal(await reader.text("a.txt", bytes("Z\xfcrich \x80")), "Zürich €");
  assert.equal(await reader.text("a.txt", "a\0b"), "ab");
  const broken = Buffer.concat([Buffer.from("Größe und Maß"), bytes("\xff"), Buffer.from("für €")]);
  assert.equal(await reader.text("a.txt", broken), "Größe und Maß\ufffdfür €");
});

test("what is no text is not read as text", async () => {
  const binary = Uint8Array.from({ length: 2000 }, (_, index) => (index * 37) % 256);
  await reader.refuses("photo.txt", binary, /photo\.txt cannot be read: it is not text/);
  await reader.refuses("a.txt", "", /it is empty/);
  await reader.refuses("a.md", " \n\t ", /it contains no text/);
});

test("Markdown, CSV, YAML and XML stay as they are", async () => {
  for (const [name, text] of [
    ["a.md", "# Title\n\n- *item*\n"],
    ["a.csv", 'a,b\r\n"1, 2",\r\n'],
    ["a.yaml", "a:\n  - 1\n"],
    ["a.xml", '<?xml version="1.0"?><a b="1">&lt;</a>'],
  ] as const) {
    assert.equal(await reader.text(name, text), text);
  }
});

test("XML and HTML may declare their encoding", async () => {
  assert.match(await reader.text("a.xml", bytes('<?xml version="1.0" encoding="iso-8859-2"?><a>\xb1</a>')), /ą/);
  assert.equal(await reader.text("a.html", bytes('<meta charset="shift_jis"><p>\x93\xfa\x96{</p>')), "日本");
});

test("entities of a document type are not resolved", async () => {
  const laughs = `<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;"><!ENTITY x SYSTEM "file:///etc/passwd">]><a>&c;&x;</a>`;
  assert.equal(await reader.text("a.xml", laughs), laughs);
  assert.equal(await reader.text("a.docx", buildDocx({ body: wordParagraph("&c;&x;&#65;&amp;") })), "&c;&x;A&");
});

test("JSON is checked", async () => {
  assert.equal(await reader.text("a.json", '{ "a": [1] }'), '{ "a": [1] }');
  assert.equal(await reader.text("a.jsonl", '{"a":1}\n\n[2]\n'), '{"a":1}\n\n[2]\n');
  await reader.refuses("a.json", '{ "a": }', /not valid JSON: Unexpected token '}'/);
  await reader.refuses("a.json", `${"[".repeat(100_000)}1`, /nested more than 5000 levels deep/);
  assert.equal(
    await reader.text("a.json", JSON.stringify(`"${"[".repeat(6000)}`)),
    JSON.stringify(`"${"[".repeat(6000)}`),
  );
  await reader.refuses("a.jsonl", "1\n{\n", /its line 2 is not valid JSON/);
});

test("the format comes from content, name and type, in this order", () => {
  const format = (name: string, content: string | Uint8Array, mimeType?: string) =>
    detectFormat({ name, bytes: Buffer.from(content), ...(mimeType && { mimeType }) });
  assert.equal(format("report", "# x", "text/markdown; charset=utf-8"), "markdown");
  assert.equal(format("table.CSV", "a,b", "application/vnd.ms-excel"), "csv");
  assert.equal(format("code", "x", "text/x-c"), "text");
  assert.equal(format("constructor.constructor", "x", "__proto__"), undefined);
  assert.equal(format("a.doc", "{\\rtf", "application/msword"), "rtf");
  assert.equal(format("a.rtf", "", "text/rtf"), "rtf");
  assert.equal(format("image.png", "\x89PNG", "image/png"), undefined);
  assert.equal(format("unnamed", buildPdf([["x"]])), "pdf");
  assert.equal(format("wrong.docx", buildXlsx({ sheets: [] })), "xlsx");
  assert.equal(format("files.zip", buildZip({ "a.txt": "x" })), undefined);
});

test("a name that promises what the content is not is refused", async () => {
  await reader.refuses("a.pdf", "plain text", /it is called a PDF, and its content is none/);
  await reader.refuses("a.docx", "plain text", /it is called docx, and its content is not/);
  await reader.refuses("a.xlsx", buildZip({ "a.txt": "x" }), /another zip archive/);
  await reader.refuses("a.docx", bytes("\xd0\xcf\x11\xe0old"), /protected by a password or in an old format/);
  await reader.refuses("a.zip", buildZip({ "a.txt": "x" }), /a\.zip has an unsupported format.*pdf/);
  await reader.refuses("x".repeat(5000), "x", /^x{200} has an unsupported format/);
});

test("sections are joined by a blank line", async () => {
  const content = await reader.read("a.pdf", buildPdf([["one"], ["two"]]));
  assert.equal(toText(content), "one\n\ntwo");
});
