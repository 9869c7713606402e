import assert from "node:assert/strict";
import { test } from "node:test";
import { fuseMatches, toQueryTerms, toTerms } from "./fuse-matches.ts";

const toMatch = (id: string, text: string) => ({ id, text, metadata: {}, score: 0 });

test("a passage with the whole identifier comes first; one that shares a stray word with a question does not", () => {
  const near = [toMatch("1", "about passwords"), toMatch("2", "about links"), toMatch("3", "the error LT-1002")];
  const exact = fuseMatches({ near, byTerms: [toMatch("3", "the error LT-1002")] }, { text: "LT-1002", topK: 2 });
  assert.deepEqual(
    exact.map(({ id }) => id),
    ["3", "1"],
  );
  const question = "I forgot my secret login and cannot enter the links page";
  const stray = fuseMatches({ near, byTerms: [toMatch("2", "about links")] }, { text: question, topK: 3 });
  assert.deepEqual(
    stray.map(({ id }) => id),
    ["1", "2", "3"],
  );
  assert.deepEqual(fuseMatches({ near: [], byTerms: [] }, { text: "", topK: 3 }), []);
});

test("a passage counts by its document: by the words of the beginning, and by how near its neighbours are", () => {
  const of = (id: string, text: string, source: string, from: number) => ({
    ...toMatch(id, text),
    metadata: { docId: "loader", source, loc: { lines: { from, to: from } } },
  });
  const question = { text: "hash index", topK: 5 };
  const filler = [of("8", "about gardens", "e", 9), of("9", "about kitchens", "f", 9)];
  const middle = [of("1", "buckets grow", "a", 9), of("2", "buckets grow", "b", 9)];
  const opened = fuseMatches(
    { near: [...middle, of("3", "the hash index", "b", 1), ...filler], byTerms: [] },
    question,
  );
  assert.deepEqual(
    opened.slice(0, 2).map(({ id }) => id),
    ["3", "2"],
  );
  const scored = [
    { ...of("1", "one", "a", 9), score: 0.7 },
    { ...of("2", "two", "b", 9), score: 0.69 },
    { ...of("3", "three", "b", 20), score: 0.68 },
    { ...of("4", "four", "c", 9), score: 0.3 },
    { ...of("5", "five", "d", 9), score: 0.2 },
  ];
  const nearest = (near: typeof scored) => fuseMatches({ near, byTerms: [] }, { text: "nowhere", topK: 1 })[0]?.id;
  assert.equal(nearest(scored), "2");
  assert.equal(nearest(scored.map((match, place) => ({ ...match, metadata: { ...match.metadata, row: place } }))), "1");
});

test("words are made alike of every way to write them", () => {
  assert.deepEqual(toTerms("max_retries maxRetries"), ["max", "retries", "maxretries", "max", "retries", "maxretries"]);
  assert.deepEqual(toTerms("ERR-4021, v2.10!"), ["err", "4021", "err4021", "v2", "10", "v210"]);
  assert.deepEqual(toTerms("Crème BRÛLÉE"), ["creme", "brulee"]);
  assert.deepEqual(toTerms("東京都の"), ["東京", "京都", "都の"]);
  assert.deepEqual(toTerms(`${"x".repeat(129)} 😀 "*' OR`), ["or"]);
  assert.deepEqual(toQueryTerms("How do I use the relay, the RELAY?"), ["relay"]);
  assert.deepEqual(toQueryTerms("to be or not to be"), ["to", "be", "or", "not"]);
  assert.equal(toQueryTerms(Array.from({ length: 100 }, (_, index) => `w${index}`).join(" ")).length, 64);
});
