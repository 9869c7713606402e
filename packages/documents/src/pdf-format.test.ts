import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestReader } from "./testing/open-test-reader.ts";
import { buildPdf, buildPdfBomb } from "./testing/pdf-files.ts";

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
  const japanese = buildPdf([[]], { title: ") /Encoding /90ms-RKSJ-H (" });
  await reader.refuses("a.pdf", japanese, /its fonts have an encoding that is not in the file/);
  await reader.refuses("a.pdf", buildPdf([["x"]]).subarray(0, 60), /it is a damaged PDF/);
  await reader.refuses("a.pdf", "%PDF-1.4\nnothing more", /it is a damaged PDF/);
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
