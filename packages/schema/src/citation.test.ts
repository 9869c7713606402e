import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  citationNumber,
  citedNumbers,
  passageAddress,
  splitCitations,
  withoutCitation,
  withoutCitations,
  withoutNotes,
  withRelevance,
} from "./citation.ts";
import { toRelevanceNote } from "./relevance.ts";
import { processorMs } from "./testing/processor-time.ts";

describe("citations of an answer", () => {
  it("are numbers in brackets, alone or several", () => {
    assert.deepEqual([...citedNumbers("Shade [1]. Water [2][3], and light[4, 5] too.")], [1, 2, 3, 4, 5]);
    assert.deepEqual(
      [...citedNumbers("Nothing [a] here [1.5] or [ 3 ] or [^4] or [12345] or [1](https://a.example)")],
      [],
    );
  });

  it("do not stand in code", () => {
    const text = "Use `a[1]` and ``b[2]``.\n\n```js\nc[3]\n```\nThat is it [4].\n~~~\nd[5]";
    assert.deepEqual([...citedNumbers(text)], [4]);
    assert.equal(withoutCitations(text), text.replace(" [4]", ""));
  });

  it("can be taken out of a text", () => {
    assert.equal(withoutCitations("Shade [1]. Water [2][3], and light [4, 5]"), "Shade. Water, and light");
  });

  it("are told from the text, where their numbers are known", () => {
    const known = new Set([1, 2]);
    assert.deepEqual(splitCitations("Shade [1][2], light [1, 2] and [1, 3] or [7].", known), [
      "Shade ",
      1,
      2,
      ", light ",
      1,
      2,
      " and [1, 3] or [7].",
    ]);
    assert.deepEqual(splitCitations("", known), []);
  });

  it("are found in long texts in a moment", () => {
    const since = processorMs();
    for (const part of ["[", "[1,", "`", "```", "[1, 2", "\n```\n["]) citedNumbers(part.repeat(100_000));
    assert.ok(processorMs() - since < 2_000);
  });
});

describe("the number of a passage", () => {
  const passage = (metadata: Record<string, string | number | boolean>) => ({ pageContent: "x", metadata });

  it("is a whole number from 1", () => {
    assert.equal(citationNumber(passage({ citationNumber: 3 })), 3);
    for (const wrong of [0, -1, 1.5, 1e9, "1", true]) {
      assert.equal(citationNumber(passage({ citationNumber: wrong })), undefined);
    }
  });

  it("does not come from its own metadata", () => {
    assert.deepEqual(
      withoutCitation(passage({ source: "a", citationNumber: 1, isCited: true })),
      passage({ source: "a" }),
    );
  });
});

describe("the address of a passage", () => {
  const at = (
    metadata: Record<string, string | number>,
    pageContent = "## Ferns\n\nFerns like shade - and water, **much** of it.",
  ) => passageAddress({ pageContent, metadata });

  it("leads to the page, or to the words", () => {
    assert.equal(at({ source: "https://a.example/x.pdf", page: 3 }), "https://a.example/x.pdf#page=3");
    const words = "https://a.example/ferns#:~:text=Ferns%20like%20shade%20%2D%20and%20water%2C";
    assert.equal(at({ source: "https://a.example/ferns" }), words);
    assert.equal(at({ url: "https://a.example/ferns#care", source: "ferns" }), words.replace("#", "#care"));
    assert.equal(at({ source: "https://a.example/" }, "Short"), "https://a.example/");
  });

  it("is one of the web alone", () => {
    for (const source of ["ferns.pdf", "javascript:alert(1)", "/etc/passwd", "data:text/html,x"]) {
      assert.equal(at({ source }), undefined);
    }
  });
});

describe("what a search notes of a passage", () => {
  const passage = (metadata: Record<string, string>) => ({ pageContent: "Ferns like shade.", metadata });

  it("is the same passage however well it answers, and whatever its number is", () => {
    const stored = passage({ source: "a" });
    const found = withRelevance(stored, 0.70042);
    assert.deepEqual(found.metadata, { source: "a", relevance: 0.7, relevanceWord: "strong" });
    assert.deepEqual(
      withoutNotes({ ...found, metadata: { ...found.metadata, citationNumber: 2, isCited: true } }),
      stored,
    );
    const words = [1, 0.7, 0.699, 0.4, 0.399, 0].map((relevance) => toRelevanceNote(relevance).relevanceWord);
    assert.deepEqual(words, ["strong", "strong", "fair", "fair", "weak", "weak"]);
  });
});
