import assert from "node:assert/strict";
import { test } from "node:test";
import { type RankedRows, searchByTerms } from "./search-by-terms.ts";

/** Rows as sets of words, ranked by the weights of the words that they have. `ranked` says how many each ranking read. */
function createRows(texts: readonly string[]) {
  const own = texts.map((text) => new Set(text.split(" ")));
  const ranked: number[] = [];
  const rows: RankedRows<number> = {
    async count(terms, most) {
      return terms.map((term) => Math.min(most, own.filter((words) => words.has(term)).length));
    },
    async rank({ required, needs, terms, atMost, limit }) {
      const fits = (words: Set<string>) =>
        needs === "any" ? required.some((term) => words.has(term)) : required.every((term) => words.has(term));
      const found = [...own.entries()].filter(([, words]) => fits(words)).slice(0, atMost);
      ranked.push(found.length);
      return found
        .map(([key, words]) => {
          return { key, score: terms.reduce((sum, { term, weight }) => sum + (words.has(term) ? weight : 0), 0) };
        })
        .sort((a, b) => b.score - a.score || a.key - b.key)
        .slice(0, limit);
    },
  };
  const find = async (question: string, limit: number, enough = limit) => {
    const hits = await searchByTerms(rows, { terms: question.split(" "), limit, enough });
    return hits.map(({ key }) => texts[key]);
  };
  return { find, ranked };
}

const many = (count: number, text: string) => Array.from({ length: count }, () => text);

test("a rare word counts for more than a usual one, and two for more than one", async () => {
  const { find } = createRows([...many(50, "usual"), "rare", "usual rare"]);
  assert.deepEqual(await find("usual rare nowhere", 3), ["usual rare", "rare", "usual"]);
  assert.deepEqual(await find("nowhere", 3), []);
});

test("usual words fill what rare ones leave, all of them before one, and no row comes twice", async () => {
  const { find, ranked } = createRows([
    ...many(2_000, "pump"),
    ...many(2_000, "valve"),
    "pump valve",
    "rare",
    "pump valve rare",
  ]);
  const found = await find("pump valve rare", 6);
  assert.deepEqual(found.slice(0, 3), ["pump valve rare", "rare", "pump valve"]);
  assert.equal(found.length, 6);
  assert.equal(found.filter((text) => text === "pump valve rare").length, 1);
  assert.ok(
    ranked.every((count) => count <= 1_000),
    "no ranking reads more than can be afforded",
  );
});

test("rows are found by rare words alone when those are enough", async () => {
  const { find, ranked } = createRows([...many(5_000, "usual"), ...many(20, "rare"), "usual rare"]);
  assert.equal((await find("usual rare", 10))[0], "usual rare");
  assert.deepEqual(ranked, [21]);
  assert.equal((await find("usual rare", 30, 1)).length, 21);
  assert.deepEqual(ranked, [21, 21]);
  assert.equal((await find("usual", 30, 1)).length, 30);
});
