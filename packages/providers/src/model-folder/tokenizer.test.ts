import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { byteLevel, unigram, wordPiece } from "./testing/tokenizer-files.ts";
import { openTokenizer } from "./tokenizer.ts";

function open(
  t: TestContext,
  described: object,
  { maxTokens = 64, config }: { maxTokens?: number; config?: object } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "weft-tokenizer-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(described));
  if (config !== undefined) writeFileSync(join(folder, "tokenizer_config.json"), JSON.stringify(config));
  return openTokenizer(folder, maxTokens);
}

const words = ["the", "harbour", "freeze", "##s", "over", "winter", ".", "naive", "京", "a", "b"];

describe("the tokenizer of a folder", () => {
  test("WordPiece: lower case, no accents, words in pieces, special tokens around", async (t) => {
    const { toSequence, padId } = await open(t, wordPiece(words));
    assert.equal(padId, 0);
    assert.deepEqual(toSequence("The HARBOUR freezes  over."), {
      ids: [2, 4, 5, 6, 7, 8, 10, 3],
      types: [0, 0, 0, 0, 0, 0, 0, 0],
    });
    assert.deepEqual(toSequence("naïve 京都 xyz").ids, [2, 11, 12, 1, 1, 3]);
    assert.deepEqual(toSequence("").ids, [2, 3]);
  });

  test("Unigram: the likeliest pieces of what NFKC makes of a text", async (t) => {
    const pieces: [string, number][] = [
      ["▁harbour", -4],
      ["▁har", -3],
      ["bour", -3],
      ["▁fi", -5],
      ["sh", -5],
      ["▁", -6],
      ["a", -7],
      ["b", -7],
    ];
    const { toSequence, padId } = await open(t, unigram(pieces));
    assert.equal(padId, 1);
    assert.deepEqual(toSequence("Harbour ﬁsh").ids, [0, 4, 7, 8, 2]);
    assert.deepEqual(toSequence("日").ids, [0, 9, 3, 2]);
  });

  test("byte-level BPE: merges in their order, and bytes of whatever has none", async (t) => {
    const { toSequence } = await open(
      t,
      byteLevel([
        ["h", "a"],
        ["ha", "r"],
        ["Ġ", "har"],
      ]),
    );
    assert.deepEqual(toSequence("har har").ids, [0, 261, 262, 2]);
    assert.deepEqual(toSequence("日").ids, [0, ...Buffer.from("日").map((byte) => byte + 4), 2]);
    for (const odd of ["\ud800", "\u0000", "😀", " \n\t"]) assert.ok(toSequence(odd).ids.every(Number.isInteger));
  });

  test("a text is cut, and its special tokens stay", async (t) => {
    const { toSequence } = await open(t, wordPiece(words), { maxTokens: 8 });
    const { ids, types } = toSequence("the winter ".repeat(100_000));
    assert.deepEqual(ids, [2, 4, 9, 4, 9, 4, 9, 3]);
    assert.equal(types.length, 8);
  });

  test("a pair has both texts: the passage is cut first, and a long query keeps half", async (t) => {
    const bert = await open(t, wordPiece(words), { maxTokens: 9 });
    assert.deepEqual(bert.toPair("the harbour", "winter"), { ids: [2, 4, 5, 3, 9, 3], types: [0, 0, 0, 0, 1, 1] });
    assert.deepEqual(bert.toPair("the harbour", "winter ".repeat(9)).ids, [2, 4, 5, 3, 9, 9, 9, 9, 3]);
    assert.deepEqual(bert.toPair("the ".repeat(9), "winter ".repeat(9)).ids, [2, 4, 4, 4, 3, 9, 9, 9, 3]);
    assert.deepEqual(bert.toPair("the ".repeat(9), "winter").ids, [2, 4, 4, 4, 4, 4, 3, 9, 3]);
    assert.deepEqual(bert.toPair("the", "").ids, [2, 4, 3, 3]);
    const roberta = await open(t, byteLevel([]), { maxTokens: 9 });
    const [a, b] = ["a", "b"].map((letter) => 4 + letter.charCodeAt(0));
    assert.deepEqual(roberta.toPair("a", "bb"), { ids: [0, a, 2, 2, b, b, 2], types: [0, 0, 0, 1, 1, 1, 1] });
  });

  test("tokenizer_config.json counts, and the padding of tokenizer.json", async (t) => {
    const plain = { ...byteLevel([]), padding: { pad_id: 7 } };
    const config = { do_lowercase_and_remove_accent: true };
    const tokenizer = await open(t, plain, { config });
    assert.equal(tokenizer.padId, 7);
    assert.deepEqual(tokenizer.toSequence("E").ids, [0, 4 + "e".charCodeAt(0), 2]);
  });

  const plain = wordPiece(words);
  const unsupported: [what: string, described: object, reason: RegExp][] = [
    ["another kind of model", { ...plain, model: { ...plain.model, type: "WordLevel" } }, /at "model\.type"/],
    ["an unknown normaliser", { ...plain, normalizer: { type: "Mystery" } }, /Mystery/],
    ["an unknown pre-tokenizer", { ...plain, pre_tokenizer: { type: "Mystery" } }, /Mystery/],
    ["no letters", wordPieceWithoutUnknown(), /makes no token of a letter/],
    [
      "a split that would be another one",
      {
        ...plain,
        pre_tokenizer: {
          type: "Sequence",
          pretokenizers: [{ type: "Split", pattern: { Regex: "\\d" }, behavior: "MergedWithPrevious", invert: false }],
        },
      },
      /at "pre_tokenizer": a Split must be/,
    ],
    ["no model", { added_tokens: [] }, /at "model"/],
  ];
  for (const [what, described, reason] of unsupported)
    test(`one with ${what} is refused`, async (t) => {
      await assert.rejects(open(t, described), reason);
    });
});

/** It removes whatever is no digit. */
function wordPieceWithoutUnknown() {
  const normalizer = { type: "Replace", pattern: { Regex: "[^0-9]" }, content: "" };
  return { ...wordPiece(words), normalizer };
}
