import assert from "node:assert/strict";
import { test } from "node:test";
import { createEmbeddedModel } from "./embedded-model.ts";
import { toWindows } from "./windows.ts";

const signal = new AbortController().signal;
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

test("texts of one meaning are near each other, in any batch, any text can be embedded, and the worker comes back", async (t) => {
  const model = createEmbeddedModel({ idleMs: 50 });
  t.after(model.close);
  const texts = [
    "How do I change my password?",
    "Resetting the secret you log in with",
    "The harbour freezes over in winter.",
    "",
    "日本語 😀 \u0000",
    "word ".repeat(5_000),
  ];
  const vectors = await model.embed({ texts, purpose: "document", signal });
  assert.equal(model.id, "embedded:use-lite-en");
  const [password, reset, harbour] = vectors as [Float32Array, Float32Array, Float32Array];
  assert.ok(vectors.every((vector) => vector.length === 512 && vector.every(Number.isFinite)));
  assert.ok(Math.abs(cosine(password, password) - 1) < 1e-4);
  assert.ok(cosine(password, reset) > cosine(password, harbour) + 0.1);
  // Longer than it is kept idle: the next request starts another worker.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const [again] = await model.embed({ texts: ["How do I change my password?"], purpose: "query", signal });
  assert.ok(cosine(password, again as Float32Array) > 0.9999);
  assert.deepEqual(await model.embed({ texts: [], purpose: "query", signal }), []);
});

test("what stands late in a chunk is in its vector, too", async (t) => {
  const model = createEmbeddedModel();
  t.after(model.close);
  const filler = "The harbour is deep, and ships of many countries lie there through the winter. ".repeat(8);
  const late = `${filler} To change your password, open the settings of your account.`;
  const texts = ["How do I change my password?", filler, late, "x".repeat(1_000)];
  const [question, without, withAnswer] = (await model.embed({ texts, purpose: "document", signal })) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  assert.ok(cosine(question, withAnswer) > cosine(question, without) + 0.1);
});

test("windows are a text's beginning in order, whole and short enough for the model", () => {
  assert.deepEqual(toWindows(""), [""]);
  assert.deepEqual(toWindows("short"), ["short"]);
  for (const text of ["several words ".repeat(100), "x".repeat(3_000), "日本語".repeat(200), "word ".repeat(5_000)]) {
    const windows = toWindows(text);
    assert.equal(windows.join(""), text.slice(0, 3_600));
    assert.ok(windows.length <= 8 && windows.every(({ length }) => length > 0 && length <= 500));
  }
});

test("an abort is answered at once; a worker that takes too long is ended, and the next one works", async (t) => {
  const model = createEmbeddedModel({ answerMs: 10_000 });
  t.after(model.close);
  const controller = new AbortController();
  const reason = new Error("cancelled");
  const cancelled = model.embed({ texts: ["a"], purpose: "document", signal: controller.signal });
  controller.abort(reason);
  await assert.rejects(cancelled, reason);
  const long = Array.from({ length: 640 }, () => "many words of many kinds in one text ".repeat(400));
  const error = { code: "embedding-failed", retryable: true, message: /took longer than 10000 ms/ };
  await assert.rejects(model.embed({ texts: long, purpose: "document", signal }), error);
  assert.equal((await model.embed({ texts: ["short"], purpose: "document", signal })).length, 1);
  await model.close();
  await assert.rejects(model.embed({ texts: ["late"], purpose: "document", signal }), { code: "embedding-failed" });
});
