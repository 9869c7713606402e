import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(root + path, "utf8");
const page = read("docs/security.md");

test("every row of the threat model names attacks that exist", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| may |"));
  assert.ok(rows.length > 15, `${rows.length} rows`);
  for (const row of rows) {
    const files = Array.from(row.matchAll(/`(proof\/attacks\/[^`]+)`/g), ([, file = ""]) => file);
    assert.ok(files.length > 0, `nothing proves: ${row}`);
    for (const file of files) assert.ok(existsSync(root + file), `${file} does not exist`);
  }
});

test("the pages about security are found from the README, and from each other", () => {
  for (const link of ["(SECURITY.md)", "(docs/security.md)"]) assert.ok(read("README.md").includes(link), link);
  assert.ok(read("SECURITY.md").includes("(docs/security.md)"));
});
