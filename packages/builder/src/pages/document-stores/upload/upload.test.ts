import assert from "node:assert/strict";
import { test } from "node:test";
import { addUploads, firstUploads, type Upload, uploadNames, uploadTitle } from "./upload.ts";

const upload = (path: string, bytes = 1): Upload => ({ path, file: new File(["x".repeat(bytes)], path) });
const pathsOf = (uploads: readonly Upload[]) => uploads.map(({ path }) => path);

test("files are stored under their names, and under their paths where names are the same", () => {
  assert.deepEqual(uploadNames(["docs/en/faq.md", "docs/de/faq.md", "docs/terms.md", "a.pdf"]), [
    "docs – en – faq.md",
    "docs – de – faq.md",
    "terms.md",
    "a.pdf",
  ]);
});

test("files are called together by their folder, or by the first of them", () => {
  assert.equal(uploadTitle(["docs/en/faq.md", "docs/terms.md"]), "docs");
  assert.equal(uploadTitle(["a.pdf"]), "a.pdf");
  assert.equal(uploadTitle(["docs/a.pdf", "b.pdf"]), "a.pdf and 1 more");
});

test("a file that is added again takes the place of the former one", () => {
  const again = upload("a.md", 3);
  const uploads = addUploads([upload("a.md"), upload("b.md")], [again]);
  assert.deepEqual(pathsOf(uploads), ["a.md", "b.md"]);
  assert.equal(uploads[0], again);
});

test("no more is added than a form takes", () => {
  const many = Array.from({ length: 1_001 }, (_, index) => upload(`${index}.md`));
  assert.equal(addUploads([], many).length, 1_000);
});

test("a preview takes files up to a size, and one at least", () => {
  const uploads = [upload("a", 6), upload("b", 4), upload("c", 1)];
  assert.deepEqual(pathsOf(firstUploads(uploads, 10)), ["a", "b"]);
  assert.deepEqual(pathsOf(firstUploads(uploads, 2)), ["a"]);
  assert.deepEqual(pathsOf(firstUploads(uploads, 99)), ["a", "b", "c"]);
});
