import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bootstrap } from "../../../proof/bench/retrieval/bootstrap.ts";
import { readQuestions } from "../../../proof/bench/retrieval/judged-questions.ts";
import { toFigures } from "../../../proof/bench/retrieval/ranking-figures.ts";
import { sources } from "../../../proof/bench/retrieval/sources.ts";

test("there are judged questions enough in both halves, none twice, and their pages are searched", () => {
  for (const [kind, least] of [
    ["natural", 700],
    ["identifiers", 200],
  ] as const) {
    const halvesOf = (manual: string) =>
      (["tuning", "held-out"] as const).map((half) => readQuestions(manual, { kind, half }));
    const halves = [0, 1].map((half) => sources.flatMap(({ manual }) => halvesOf(manual)[half] ?? []));
    const texts = halves.flat().map(({ text }) => text);
    assert.ok(texts.length >= least);
    assert.equal(new Set(texts).size, texts.length);
    for (const half of halves) assert.ok(half.length >= 0.4 * texts.length, `${half.length} of ${texts.length}`);
    for (const { manual } of sources) {
      const list = new URL(`../../../proof/bench/retrieval/questions/${manual}/pages.txt`, import.meta.url);
      const pages = new Set(readFileSync(list, "utf8").trim().split("\n"));
      for (const { text, pages: answers } of halvesOf(manual).flat()) {
        assert.ok(
          answers.some((page) => pages.has(page)),
          `${manual}: ${text}`,
        );
      }
    }
  }
});

test("the figures of a ranking", () => {
  const none = { recallAt1: 0, recallAt5: 0, mrrAt10: 0, ndcgAt10: 0 };
  assert.deepEqual(toFigures({ found: [], relevant: ["a"] }), none);
  assert.deepEqual(toFigures({ found: [..."bcdefghijk", "a"], relevant: ["a"] }), none);
  assert.deepEqual(toFigures({ found: ["a", "b"], relevant: ["b", "a"] }), {
    recallAt1: 1,
    recallAt5: 1,
    mrrAt10: 1,
    ndcgAt10: 1,
  });
  assert.deepEqual(toFigures({ found: ["x", "y", "a"], relevant: ["a"] }), {
    recallAt1: 0,
    recallAt5: 1,
    mrrAt10: 1 / 3,
    ndcgAt10: 0.5,
  });
});

test("an interval holds its figure, is the same in every run, and narrows with more questions", () => {
  const mean = (sample: readonly number[]) => sample.reduce((sum, value) => sum + value, 0) / sample.length;
  const few = bootstrap([0, 1, 1, 0, 1], mean);
  const many = bootstrap(
    Array.from({ length: 100 }, (_, index) => index % 2),
    mean,
  );
  assert.ok(few.low < few.value && few.value < few.high);
  assert.ok(many.high - many.low < few.high - few.low);
  assert.deepEqual(bootstrap([0, 1, 1, 0, 1], mean), few);
});
