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

test("the best share of a question tells stray words from answers", () => {
  assert.equal(judge("one two", ["two one"]).best, 1);
  assert.ok(judge("one two three four five", ["one thing", "another"]).best < 0.3);
  assert.deepEqual(judge("one", []), { scores: [], best: 0 });
  assert.deepEqual(judgeWords([], [["one"]]), { scores: [0], best: 0 });
});
