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
