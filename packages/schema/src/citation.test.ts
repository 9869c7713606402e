import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { citationNumber, citedNumbers, withoutCitation, withoutCitations } from "./citation.ts";

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

  it("are found in long texts in a moment", () => {
    const since = performance.now();
    for (const part of ["[", "[1,", "`", "```", "[1, 2", "\n```\n["]) citedNumbers(part.repeat(100_000));
    assert.ok(performance.now() - since < 2_000);
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
