import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseDifferent, mergeByRank, withoutDuplicates } from "./choose-passages.ts";

const passage = (text: string, relevance: number) => ({ text, relevance });
const refunds = passage("Refunds take five working days after we have received the goods.", 0.9);
const again = passage("Refunds take five working days after we have received your goods.", 0.85);
const shipping = passage("Parcels to islands are sent by ship on Mondays and Thursdays.", 0.5);
const noise = passage("The canteen closes at two.", 0.05);

describe("choosing among passages", () => {
  it("drops what says the same word for word, and keeps the better one", () => {
    const found = [refunds, { ...shipping, text: `  ${refunds.text.toUpperCase().replace(" ", "\n ")}` }, shipping];
    assert.deepEqual(withoutDuplicates(found), [refunds, shipping]);
    assert.deepEqual(withoutDuplicates([]), []);
  });

  it("prefers a different passage to a repetition, the less the greater lambda is", () => {
    const found = [refunds, again, shipping, noise];
    assert.deepEqual(chooseDifferent(found, { lambda: 0.5, count: 2 }), [refunds, shipping]);
    assert.deepEqual(chooseDifferent(found, { lambda: 1, count: 2 }), [refunds, again]);
    assert.deepEqual(chooseDifferent(found, { lambda: 0.5, count: 9 }), found, "in the order of relevance");
    assert.deepEqual(chooseDifferent([], { lambda: 0.5, count: 2 }), []);
    assert.deepEqual(chooseDifferent([passage("", 0), passage("a", 0)], { lambda: 0, count: 1 }).length, 1);
  });

  it("tells repetitions in writing without spaces", () => {
    const japanese = [
      passage("返金には商品到着後五営業日かかります。", 0.9),
      passage("返金には商品到着後五営業日ほどかかります。", 0.88),
      passage("離島への配送は月曜日と木曜日に船で行われます。", 0.6),
    ];
    assert.deepEqual(chooseDifferent(japanese, { lambda: 0.5, count: 2 }), [japanese[0], japanese[2]]);
  });

  it("puts first what several lists have near their top", () => {
    const of = (...ids: string[]) => ids.map((id) => ({ id }));
    const merged = mergeByRank([of("a", "b", "c"), of("b", "d"), of("b", "a")]);
    assert.deepEqual(merged, of("b", "a", "d", "c"));
    assert.deepEqual(mergeByRank([]), []);
  });
});
