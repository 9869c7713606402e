import assert from "node:assert/strict";
import { test } from "node:test";
import { documentName, judgePassages } from "./judge-passages.ts";

const passages = [
  { document: "a.md", text: "Refunds take\n five days." },
  { document: "b.md", text: "Parcels leave on Mondays." },
  { document: "a.md", text: "Ask support for help." },
];

test("every passage of an expected document is right, and each document has one place", () => {
  assert.deepEqual(judgePassages({ relevant: ["a.md"] }, passages), {
    isRight: [true, false, true],
    ranked: ["a.md", "b.md"],
  });
  assert.deepEqual(judgePassages({ relevant: ["c.md"] }, []), { isRight: [], ranked: [] });
});

test("with words, only passages that contain all of them are right, whatever case and spacing", () => {
  const { isRight, ranked } = judgePassages({ relevant: ["a.md", "b.md"], words: ["ASK  support", "help"] }, passages);
  assert.deepEqual(isRight, [false, false, true]);
  assert.equal(ranked.indexOf("a.md"), 2);
  assert.equal(ranked.indexOf("b.md"), -1);
  assert.deepEqual(judgePassages({ relevant: ["a.md"], words: ["take five days"] }, passages).isRight[0], true);
});

test("a document is called by its source, or by its title", () => {
  assert.equal(documentName({ source: "a.md", title: "A" }), "a.md");
  assert.equal(documentName({ source: "", title: "A" }), "A");
  assert.equal(documentName({ source: 3 }), "");
});
