import assert from "node:assert/strict";
import { test } from "node:test";
import { expectedOf } from "./add-answer-question.tsx";

const passage = (metadata: Record<string, string | boolean>) => ({ pageContent: "", metadata });

test("what the answer cites is expected, or all that it had", () => {
  const cited = passage({ docId: "1", source: "a.md", isCited: true });
  const other = passage({ docId: "2", title: "B", isCited: false });
  assert.deepEqual(expectedOf([other, cited]), [{ loaderId: "1", name: "a.md" }]);
  assert.deepEqual(expectedOf([other]), [{ loaderId: "2", name: "B" }]);
});

test("passages of no store, or without a name, are none", () => {
  assert.deepEqual(expectedOf([passage({ source: "a.md" }), passage({ docId: "1", source: "" })]), []);
});
