import assert from "node:assert/strict";
import { test } from "node:test";
import { wordStarts } from "./prose-breaks.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "word" });
const startsOf = (text: string) => [...segmenter.segment(text)].map(({ index }) => index).filter((index) => index > 0);

test("words of a long text are those of the whole, wherever a window ends", () => {
  for (const shift of [0, 1, 2, 3]) {
    const text = "x".repeat(shift) + "東京都の天気は晴れです。機械学習の説明を書く😀".repeat(1_500);
    assert.deepEqual([...wordStarts(text)], startsOf(text));
  }
});

test("a word longer than a window has no start within it", () => {
  const word = "a".repeat(25_000);
  assert.deepEqual([...wordStarts(`${word} 漢字`)], startsOf(`${word} 漢字`));
});

test("the first words of a long text are found without looking at the rest", (t) => {
  const looked: number[] = [];
  const { segment } = Intl.Segmenter.prototype;
  t.mock.method(Intl.Segmenter.prototype, "segment", function (this: Intl.Segmenter, text: string) {
    looked.push(text.length);
    return segment.call(this, text);
  });
  wordStarts("漢字仮名".repeat(250_000)).next();
  assert.deepEqual(looked, [10_000]);
});
