import assert from "node:assert/strict";
import { test } from "node:test";
import { addLinear } from "./graph/linear.ts";
import { openNativeModel } from "./native-model.ts";
import { hasRuntime } from "./runtime.ts";
import { openWasmModel } from "./wasm-model.ts";

const isRequired = process.env.EMBEDDER_REQUIRED === "1";
const skip = hasRuntime() || isRequired ? false : "the native runtime is not installed: scripts/embedder/install.mjs";
const signal = new AbortController().signal;

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Array.from(a).reduce((sum, value, at) => sum + value * (b[at] as number), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

for (const [what, linear, least] of [
  ["the native model", undefined, 0.9989],
  ["the native model without 8-bit integers", addLinear, 0.999999],
] as const)
  test(`${what} agrees with the one on WebAssembly, whatever else is in the batch`, { skip }, async () => {
    const [native, wasm] = await Promise.all([openNativeModel({ linear }), openWasmModel()]);
    const texts = [
      "",
      "?",
      "\t\n\u00a0",
      "日本語 😀 \u0000",
      "How do I change my password?",
      "Resetting the secret you log in with",
      "The harbour is deep, and ships of many countries lie there through the winter. ".repeat(5),
      "SELECT name, total FROM orders WHERE customer = 'b' ORDER BY total DESC LIMIT 10;",
      "const total = (items) => items.reduce((sum, { price }) => sum + price, 0);",
      "ERR_SOCKET_TIMEOUT 0x80070057 --max-old-space-size=4096 v1.30.0-rc.2",
      "Die Straße ist naß, và trời đang mưa, mais il fait beau à Zürich.",
      "x".repeat(400),
      "several words ".repeat(30),
      "Revenue grew by 12.5 % to $3,400,000 in the third quarter, the company said on Tuesday.",
      "1. Preheat the oven to 180 °C. 2. Butter a tin. 3. Bake for 40 minutes and let it cool.",
      "# Heading\n\n- a list\n- of **items**\n\n| a | table |\n|---|---|\n| 1 | 2 |",
      "The seventeenth text.",
    ];
    const [own, others] = [await native(texts, signal), await wasm(texts, signal)];
    for (const [index, text] of texts.entries()) {
      const [vector, other] = [own[index] as ArrayLike<number>, others[index] as ArrayLike<number>];
      assert.ok(cosine(vector, other) >= least, `${JSON.stringify(text)}: ${cosine(vector, other)}`);
      const [alone] = await native([text], signal);
      assert.ok(cosine(vector, alone as ArrayLike<number>) > 0.999999, JSON.stringify(text));
    }
    assert.deepEqual(await native([], signal), []);
  });

test("an abort ends the native model between two batches", { skip }, async () => {
  const native = await openNativeModel();
  const controller = new AbortController();
  const texts = Array.from({ length: 1_000 }, () => "many words of many kinds in one text ".repeat(10));
  const vectors = native(texts, controller.signal);
  setImmediate(() => controller.abort(new Error("cancelled")));
  await assert.rejects(vectors, /cancelled/);
});
