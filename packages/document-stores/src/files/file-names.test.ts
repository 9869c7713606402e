import assert from "node:assert/strict";
import { test } from "node:test";
import { toFileName, toFileNames } from "./document-files.ts";

test("a file's name is text that can be stored and shown", () => {
  const cases: [given: string, name: string][] = [
    ["notes.md", "notes.md"],
    [" Grüße 🧶.md ", "Grüße 🧶.md"],
    ["a\0b\r\n.txt", "ab.txt"],
    ["half\ud83e.txt", "half\ufffd.txt"],
    ["", "file"],
    ["\n", "file"],
    [".", "file"],
    ["..", "file"],
    ["...", "..."],
    ["a\u2028b.txt", "ab.txt"],
    ["docs/2026\\a.md", "docs – 2026 – a.md"],
    ["../a.md", ".. – a.md"],
    ["%2e%2E%2f.txt", "%2e%2E%2f.txt"],
    [`${"n".repeat(3_000)}.txt`, `${"n".repeat(196)}.txt`],
  ];
  for (const [given, name] of cases) assert.equal(toFileName(given), name);
  assert.equal(toFileName(`a.${"n".repeat(3_000)}`).length, 200);
});

test("files of one name are told apart, whatever they are called", () => {
  const given = ["a.md", "a.md", "a (2).md", "a.md", ".env", ".env", "", ""];
  const names = ["a.md", "a (2).md", "a (2) (2).md", "a (3).md", ".env", ".env (2)", "file", "file (2)"];
  assert.deepEqual(toFileNames(given), names);
});
