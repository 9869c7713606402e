import assert from "node:assert/strict";
import { test } from "node:test";
import { version } from "unpdf/pdfjs";
import { predefinedCMaps } from "./pdf/cmaps/predefined-cmaps.ts";
import { openTestReader } from "./testing/open-test-reader.ts";
import { buildCMapPdf, buildPdf, buildPdfBomb } from "./testing/pdf-files.ts";

const reader = openTestReader();

test("every page is a section, in lines", async () => {
  const content = await reader.read(
    "a.pdf",
    buildPdf([["First line", "(second)"], [], ["Third page"]], { title: "A title" }),
  );
  assert.deepEqual(content, {
    format: "pdf",
    sections: [
      { text: "First line\n(second)", metadata: { page: 1 } },
      { text: "Third page", metadata: { page: 3 } },
    ],
    metadata: { title: "A title", pages: 3 },
  });
});

test("a PDF that cannot be read says why", async () => {
  await reader.refuses(
    "a.pdf",
    buildPdf([["x"]], { isEncrypted: true }),
    /it is encrypted; save it without a password/,
  );
  await reader.refuses("a.pdf", buildPdf([[], []]), /pictures without text.*OCR/);
  const unknown = buildPdf([[]], { title: ") /Encoding /Foreign-RKSJ-H (" });
  await reader.refuses("a.pdf", unknown, /its fonts have an encoding that is not in the file/);
  const known = buildPdf([[]], { title: ") /Encoding /90ms-RKSJ-H (" });
  await reader.refuses("a.pdf", known, /pictures without text.*OCR/);
  await reader.refuses("a.pdf", buildPdf([["x"]]).subarray(0, 60), /it is a damaged PDF/);
  await reader.refuses("a.pdf", "%PDF-1.4\nnothing more", /it is a damaged PDF/);
});

for (const [encoding, ordering, hex, text] of [
  ["90ms-RKSJ-H", "Japan1", "93FA967B8CEA82CC95B68F91", "日本語の文書"],
  ["90ms-RKSJ-V", "Japan1", "93FA967B8CEA", "日本語"],
  ["EUC-H", "Japan1", "C6FCCBDCB8EC", "日本語"],
  ["UniJIS-UCS2-H", "Japan1", "65E5672C8A9E", "日本語"],
  ["UniJIS-UTF16-H", "Japan1", "65E5672C8A9E", "日本語"],
  ["GBK-EUC-H", "GB1", "D6D0CEC4CEC4B5B5", "中文文档"],
  ["UniGB-UCS2-H", "GB1", "4E2D6587", "中文"],
  ["GBK2K-H", "GB1", "D6D0CEC4", "中文"],
  ["ETen-B5-H", "CNS1", "A4A4A4E5", "中文"],
  ["UniCNS-UTF16-H", "CNS1", "4E2D6587", "中文"],
  ["KSCms-UHC-H", "Korea1", "C7D1B1B9BEEE", "한국어"],
  ["UniKS-UCS2-H", "Korea1", "D55CAD6DC5B4", "한국어"],
] as const) {
  test(`a font without a way to its characters is read by its predefined CMap: ${encoding}`, async () => {
    const { sections } = await reader.read("a.pdf", buildCMapPdf({ encoding, ordering, hex }));
    assert.equal(sections[0]?.text.replaceAll("\n", ""), text);
  });
}

test("the predefined CMaps are those of the pdf.js that reads them", () => {
  assert.equal(predefinedCMaps().pdfjs, version);
  assert.equal(predefinedCMaps().files.size, 168);
});

test("a PDF with too many pages is refused", async () => {
  const small = openTestReader({ pages: 2 });
  await small.refuses("a.pdf", buildPdf([["1"], ["2"], ["3"]]), /it has more than 2 pages/);
});

test("a PDF whose content unpacks beyond the memory is stopped", async () => {
  const small = openTestReader({ memoryBytes: 64 * 1024 * 1024 });
  await small.refuses("a.pdf", buildPdfBomb(200_000_000), /more memory than it may/);
  assert.equal((await small.read("a.pdf", buildPdf([["next"]]))).sections[0]?.text, "next");
});
