import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toRelevances, withProminence } from "./relevance.ts";

const found = (text: string, prominence = 0) => ({ text, prominence });

describe("the relevance of passages", () => {
  it("is greater for a passage with the question's words and a near vector than for one without", () => {
    const question = "How long does a refund take?";
    const [good = 0, bad = 1] = toRelevances(question, [
      found("A refund takes long: five days.", 2),
      found("Parcels leave on Mondays.", -1),
    ]);
    assert.ok(good > 0.7, String(good));
    assert.ok(bad < 0.35, String(bad));
  });

  it("stays within 0 to 1, falls along the order, and is there without vectors or words", () => {
    const lists = [
      [found("nothing", -1), found("a refund takes five days", 3), found("refund", -2)],
      [found("nothing"), found("refund days")],
      [found("", 1)],
    ];
    for (const list of lists) {
      const relevances = toRelevances("refund days", list);
      assert.equal(relevances.length, list.length);
      for (const [index, relevance] of relevances.entries()) {
        assert.ok(relevance >= 0 && relevance <= 1, String(relevance));
        assert.ok(relevance <= (relevances[index - 1] ?? 1), "it never rises");
      }
    }
    assert.deepEqual(toRelevances("anything", []), []);
    assert.equal(toRelevances("???", [found("text", 0.5)]).length, 1);
  });

  it("means the same when a search finds more passages", () => {
    const texts = ["Refunds take five days.", "Refunds of gift cards take ten days.", "Parcels leave on Mondays."];
    const question = "refunds of gift cards";
    const [alone = 0] = toRelevances(question, [found(texts[1] ?? "", 2)]);
    const [among = 0] = toRelevances(question, [
      found(texts[1] ?? "", 2),
      found(texts[0] ?? "", 0.4),
      found(texts[2] ?? "", 0.1),
    ]);
    assert.ok(Math.abs(alone - among) < 0.15, `${alone} ${among}`);
  });

  it("believes a vector that stands far out, whatever the words", () => {
    const far = [0.9, ...Array.from({ length: 59 }, (_, index) => 0.3 + (index % 7) / 100)];
    const matches = far.map((score, index) => ({ id: String(index), text: "other words", metadata: {}, score }));
    const [first = 0, second = 0] = toRelevances("how long until my money is back", withProminence(matches));
    assert.ok(first > 0.6 && second < 0.35, `${first} ${second}`);
    const [alike = 0] = toRelevances("question", withProminence(matches.slice(0, 1)));
    assert.ok(alike < 0.35);
  });
});
