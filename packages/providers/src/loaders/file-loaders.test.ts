import assert from "node:assert/strict";
import { test } from "node:test";
import { buildDocx, buildPdf, buildPptx, buildXlsx, slideShape, wordParagraph } from "@weft/documents/testing";
import type { LoadedPart } from "@weft/engine/ports/document-loader";
import { WeftError } from "@weft/schema";
import { z } from "zod";
import { findLoader, loaders } from "./registry.ts";
import { openLoaderBench } from "./testing/open-loader-bench.ts";

const bench = await openLoaderBench();

const textsOf = (parts: LoadedPart[]) => parts.map((part) => (part.type === "document" ? part.text : part.message));
const load = async (name: string, bytes: Uint8Array | string, config: object = {}) =>
  bench.load("file", { files: bench.store({ name, bytes }), ...config });
const sheet = { name: "Prices", rows: '<row><c t="inlineStr"><is><t>Cell</t></is></c></row>' };

test("plain text is one document, and its source is its hash", async () => {
  const [part, ...others] = await bench.load("plainText", { text: "Hello\0 \ud800", metadata: '{ "by": "me" }' });
  assert.deepEqual(others, []);
  assert.deepEqual(part, {
    type: "document",
    source: "text",
    text: "Hello \ufffd",
    metadata: { source: "text", by: "me" },
  });
  const same = await bench.sourceOf("plain-text", { text: "Hello" });
  assert.equal(same, await bench.sourceOf("plain-text", { text: "Hello", metadata: { other: 1 } }));
  assert.notEqual(same, await bench.sourceOf("plain-text", { text: "Hello!" }));
});

test("a file of every format is read", async () => {
  for (const [name, bytes, expected] of [
    ["a.txt", "Text", "Text"],
    ["a.md", "# Mark", "# Mark"],
    ["a.html", "<p>Page</p>", "Page"],
    ["a.pdf", buildPdf([["Portable"]]), "Portable"],
    ["a.docx", buildDocx({ body: wordParagraph("Word") }), "Word"],
    ["a.xlsx", buildXlsx({ sheets: [sheet] }), "Cell"],
    ["a.pptx", buildPptx([{ shapes: slideShape(["Slide"]) }]), "Slide"],
    ["a.csv", "name,age\nAda,36\n", "name: Ada\nage: 36"],
    ["a.json", '{"a":1}', '{"a":1}'],
    ["a.jsonl", '"one"\n', "one"],
  ] as const) {
    const [part, ...others] = await load(name, bytes);
    assert.ok(part?.type === "document", name);
    assert.deepEqual(others, []);
    assert.equal(part.source, name);
    assert.match(part.text, new RegExp(expected));
    assert.equal(part.metadata.source, name);
  }
});

test("a PDF is a document for each page, or one", async () => {
  const pdf = buildPdf([["one"], ["two"]], { title: "Book" });
  const pages = await load("a.pdf", pdf);
  assert.deepEqual(
    pages.map((part) => part.type === "document" && part.metadata),
    [1, 2].map((page) => ({ source: "a.pdf", title: "Book", pages: 2, page })),
  );
  const files = bench.store({ name: "a.pdf", bytes: pdf });
  const whole = await bench.load("pdfFile", { pdfFile: files[0], usage: "perFile" });
  assert.deepEqual(textsOf(whole), ["one\n\ntwo"]);
});

test("a CSV file is a document for each row, of all columns or of one", async () => {
  const csv = 'name;note\r\n"Ada; L.";"says ""hi""\nthere"\r\n\r\nBob;\r\n';
  assert.deepEqual(textsOf(await load("a.csv", csv)), ['name: Ada; L.\nnote: says "hi"\nthere', "name: Bob\nnote: "]);
  const column = await load("a.csv", csv, { columnName: "note" });
  assert.deepEqual(column, [
    { type: "document", source: "a.csv", text: 'says "hi"\nthere', metadata: { source: "a.csv", row: 2 } },
  ]);
  assert.match(textsOf(await load("a.csv", csv, { csvColumn: "age" }))[0] ?? "", /no column "age"; it has: name, note/);
});

test("a CSV file of 10,000 columns is read", async () => {
  const row = (cell: string) => Array.from({ length: 10_000 }, (_, index) => `${cell}${index}`).join(",");
  const [part] = await load("wide.csv", `${row("c")}\n${row("v")}\n`);
  assert.ok(part?.type === "document");
  assert.equal(part.text.split("\n").length, 10_000);
  assert.match(part.text, /\nc9999: v9999$/);
});

test("JSON is read whole, by pointers, by items", async () => {
  const json = JSON.stringify({ articles: [{ text: "one", tags: ["x"] }, { text: "two" }, {}], "a/b": "three" });
  const byPointers = await load("a.json", json, { pointersName: "/articles/*/text, a~1b" });
  assert.deepEqual(
    byPointers.map((part) => part.type === "document" && [part.text, part.metadata.pointer]),
    [
      ["one", "/articles/0/text"],
      ["two", "/articles/1/text"],
      ["three", "/a~1b"],
    ],
  );
  assert.deepEqual(textsOf(await load("a.json", '["a", {"b": 1}]', { separateByObject: "True" })), [
    "a",
    '{\n  "b": 1\n}',
  ]);
  assert.match(
    textsOf(await load("a.json", json, { jsonPointers: ["/none"] }))[0] ?? "",
    /the parts selected by the settings/,
  );
});

test("JSON lines are a document for each line", async () => {
  const parts = await load("a.jsonl", '{"t":"one"}\n\n{"u":1}\n{"t":"two\\u0000"}\n', { jsonLinesPointer: "t" });
  assert.deepEqual(
    parts.map((part) => part.type === "document" && [part.text, part.metadata.line]),
    [
      ["one", 1],
      ["two", 4],
    ],
  );
});

test("of many files those that cannot be read are told one by one, and the others are read", async () => {
  const files: Record<string, Uint8Array | string> = {
    "good.txt": "first",
    "scanned.pdf": buildPdf([[]]),
    "locked.pdf": buildPdf([["x"]], { isEncrypted: true }),
    "bomb.docx": buildDocx({ body: " ".repeat(60_000_000) }),
    "picture.png": "\x89PNG",
    "empty.txt": "",
    "nul.txt": "before\0after",
    "latin.txt": Buffer.from("Z\xfcrich", "latin1"),
    "last.md": "# last",
  };
  const stored = bench.store(...Object.entries(files).map(([name, bytes]) => ({ name, bytes })));
  const parts = await bench.load("folder", { files: [...stored, "404"] });
  assert.deepEqual(
    parts.map((part) => [part.source, part.type === "document" ? part.text : part.code]),
    [
      ["good.txt", "first"],
      ["scanned.pdf", "document-unreadable"],
      ["locked.pdf", "document-unreadable"],
      ["bomb.docx", "document-unreadable"],
      ["picture.png", "document-unsupported"],
      ["empty.txt", "document-unreadable"],
      ["nul.txt", "beforeafter"],
      ["latin.txt", "Zürich"],
      ["last.md", "# last"],
      ["404", "document-unreadable"],
    ],
  );
  const messages = textsOf(parts.filter((part) => part.type === "failure")).join("\n");
  for (const reason of [/OCR/, /encrypted; save it without/, /beyond all measure/, /it is empty/, /upload it again/]) {
    assert.match(messages, reason);
  }
});

test("a text of 200 MB is refused with the limit", async () => {
  const [part] = await load("huge.txt", Buffer.alloc(200 * 1024 * 1024, "a"));
  assert.deepEqual(part, {
    type: "failure",
    source: "huge.txt",
    code: "document-unreadable",
    message: "huge.txt cannot be read: it is larger than 104857600 bytes; split it.",
  });
});

test("a folder may take files by their names", async () => {
  const files = bench.store(
    { name: "a.md", bytes: "a" },
    { name: "draft-b.md", bytes: "b" },
    { name: "c.txt", bytes: "c" },
  );
  assert.deepEqual(textsOf(await bench.load("folder", { files, include: ["*.MD"], exclude: "draft-*" })), ["a"]);
  assert.equal(await bench.sourceOf("folder", { files }), "a.md\nc.txt\ndraft-b.md");
});

test("files may be written out, and metadata left out", async () => {
  const written = `data:text/plain;base64,${btoa("inline")},filename:note.txt`;
  const config = { txtFile: JSON.stringify([written]), omitMetadataKeys: "source", metadata: { team: "a" } };
  const [part] = await bench.load("textFile", config);
  assert.deepEqual(part, { type: "document", source: "note.txt", text: "inline", metadata: { team: "a" } });
  assert.equal(await bench.sourceOf("textFile", config), "note.txt");
  const [bad] = await bench.load("textFile", { txtFile: "data:text/plain;base64,,filename:note.txt" });
  assert.match(bad?.type === "failure" ? bad.message : "", /note\.txt cannot be read: it is empty/);
});

test("loading stops when it is told to", async () => {
  const controller = new AbortController();
  controller.abort(new Error("stopped"));
  await assert.rejects(
    bench.load("file", { files: bench.store({ name: "a.txt", bytes: "a" }) }, controller.signal),
    /stopped/,
  );
});

test("what cannot be used is refused in words", () => {
  const refused = (name: string, config: object, reason: RegExp) =>
    assert.throws(
      () => findLoader(name).parseConfig(config, name),
      (error) => error instanceof WeftError && error.code === "parameters-invalid" && reason.test(error.message),
    );
  refused("file", {}, /loader "file" cannot be used\. config\.files/);
  refused("folderFiles", { folderPath: "/etc" }, /Folders of the server are not read\. Upload the files/);
  refused("plainText", { text: "" }, /config\.text/);
  refused("web-page", { url: "ftp://a.example" }, /begins with https/);
  assert.throws(() => findLoader("notionPage"), /No loader is called "notionPage"\. Use one of: plain-text, file/);
});

test("every loader is registered under its name, and describes its settings", () => {
  for (const [name, loader] of Object.entries(loaders)) {
    assert.equal(loader.name, name);
    const { properties = {} } = z.toJSONSchema(loader.config, { io: "input" });
    assert.ok("metadata" in properties && "omitMetadataKeys" in properties);
    for (const [key, setting] of Object.entries(properties)) {
      assert.ok(typeof setting === "object" && setting.title, `${name}.${key} has no title`);
    }
  }
});
