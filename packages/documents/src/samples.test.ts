import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { judgeDocument } from "./testing/judge-document.ts";
import { openTestReader } from "./testing/open-test-reader.ts";
import { sampleExpectations } from "./testing/sample-expectations.ts";

const reader = openTestReader();
const folder = new URL("./testing/samples/", import.meta.url);

for (const [name, expected] of Object.entries(sampleExpectations)) {
  test(`${name} is read as its program wrote it`, async () => {
    assert.deepEqual(judgeDocument(await reader.read(name, readFileSync(new URL(name, folder))), expected), []);
  });
}

test("every sample is judged", () => {
  const names = readdirSync(folder).filter((name) => name !== "README.md");
  assert.deepEqual(names.toSorted(), Object.keys(sampleExpectations).toSorted());
});
