import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeDocument } from "./judge-document.ts";

test("what is wrong with a document is said", () => {
  const content = { format: "text" as const, sections: [{ text: "one two", metadata: {} }], metadata: { title: "T" } };
  assert.deepEqual(
    judgeDocument(content, { shows: ["one", "two"], lacks: ["three"], whole: " one two", sections: 1 }),
    [],
  );
  assert.deepEqual(
    judgeDocument(content, {
      shows: ["two", "one", "four"],
      lacks: ["two"],
      whole: "x",
      sections: 2,
      metadata: { pages: 1 },
    }),
    [
      '"one" is missing at its place',
      '"four" is missing',
      '"two" is there',
      "its pages is undefined instead of 1",
      "the text is another one",
      "it has 1 sections instead of 2",
    ],
  );
});
