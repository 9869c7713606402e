import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { findTests } from "./find-tests.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [usual, long, any] = (["usual", "long", "any"] as const).map((tier) => findTests(root, tier));
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

describe("the test files of npm test and npm run test:long", () => {
  it("are all test files", () => {
    assert.deepEqual([...new Set([...(usual ?? []), ...(long ?? [])])].sort(), any);
    assert.ok((any?.length ?? 0) > 600);
  });

  it("run what is the same on every database on PostgreSQL as well, in one of the two", () => {
    const onOne = any?.filter((file) => /\bonTestDatabase\(/.test(textOf(file)) && !file.startsWith("scripts/"));
    assert.deepEqual(
      onOne?.filter((file) => !long?.includes(file)),
      [],
    );
  });

  it("say why they have a process of their own, or take long", () => {
    for (const file of any ?? []) {
      const marks = textOf(file).match(/^\/\/ @(process|tier)\b.*$/gm) ?? [];
      for (const mark of marks) assert.match(mark, /^\/\/ @(process [a-z-]+|tier long): \S.*\.$/, file);
    }
  });
});
