import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeWords, toStem } from "./judge-words.ts";

const judge = (question: string, texts: readonly string[]) =>
  judgeWords(
    question.split(" "),
    texts.map((text) => text.split(" ")),
  );

test("words are alike without their endings, names and numbers stay as they are", () => {
  const alike = [
    "lock locks locked locking",
    "index indexes indexed",
    "query queries",
    "drop dropped dropping",
    "use uses",
  ];
  for (const words of alike) assert.equal(new Set(words.split(" ").map(toStem)).size, 1, words);
  for (const word of ["class", "status", "err4021", "été", "is", "東京"]) assert.equal(toStem(word), word);
  assert.notEqual(toStem("string"), toStem("strong"));
});

test("an ending never takes the first two letters, which words are told apart by", () => {
  const beginnings = ["ad", "ax", "sk", "be", "se", "is", "pr"];
  const endings = ["", "ies", "es", "s", "ing", "ding", "ed", "ded", "ly", "er", "e", "ses", "xes", "eing", "eed"];
  for (const beginning of beginnings)
    for (const ending of endings) assert.equal(toStem(beginning + ending).slice(0, 2), beginning, beginning + ending);
  const { scores } = judge("skies added", ["sky nothing", "adding nothing", "as ski"]);
  assert.ok((scores[0] ?? 0) > 0 && (scores[1] ?? 0) > 0);
  assert.equal(scores[2], 0);
});

test("a rare word counts for more than a usual one, and repetitions for less and less", () => {
  const { scores } = judge("usual rare", ["usual thing", "rare thing", "usual day", "usual night", "nothing here"]);
  assert.ok((scores[1] ?? 0) > (scores[0] ?? 0));
  assert.equal(scores[4], 0);
  const repeated = judge("word", ["word a b c", "word word b c", "word word word word"]).scores;
  assert.ok((repeated[1] ?? 0) > (repeated[0] ?? 0));
  assert.ok((repeated[2] ?? 0) < 3 * (repeated[0] ?? 0));
});

test("words side by side count for more than the same apart", () => {
  const { scores } = judge("hash index", ["a hash index here", "index of a hash"]);
  assert.ok((scores[0] ?? 0) > (scores[1] ?? 0));
});

test("words of conversation count for less than those of the subject", () => {
  const { scores } = judge("somebody pump", ["somebody here", "pump here", "nothing here", "nobody there"]);
  assert.ok((scores[1] ?? 0) > 3 * (scores[0] ?? 0));
  assert.ok((scores[0] ?? 0) > 0, "and still for something");
});

test("the share of a question tells stray words from answers, and texts share it together", () => {
  assert.equal(judge("one two", ["two one"]).shareOf([0]), 1);
  const five = judge("red green blue black white", ["red thing", "another", "green thing"]);
  assert.ok(five.shareOf([0]) < 0.3);
  assert.equal(five.shareOf([1]), 0);
  assert.equal(five.shareOf([0, 0]), five.shareOf([0]));
  assert.ok(Math.abs(five.shareOf([0, 2]) - five.shareOf([0]) - five.shareOf([2])) < 1e-9);
  assert.deepEqual(judge("one", []).scores, []);
  assert.equal(judgeWords([], [["one"]]).shareOf([0]), 0);
});
