import assert from "node:assert/strict";
import { test } from "node:test";
import type { Prices } from "@weft/client";
import { errorsOf, parseDollars, toRows, withoutPrice, withPrice } from "./price-draft.ts";

test("dollars are numbers from 0 to a million, with a point or a comma", () => {
  assert.deepEqual(["0", " 2.5 ", "0,15", ".5", "1000000"].map(parseDollars), [0, 2.5, 0.15, 0.5, 1_000_000]);
  for (const text of ["", " ", "-1", "+1", "1e3", "0x10", "$2", "1,000.5", "NaN", "Infinity", "1000001", "two"]) {
    assert.equal(parseDollars(text), undefined, text);
  }
});

test("a model is named by its provider and its name", () => {
  const wrong = ["", "gpt-4o", "openai/", "/gpt-4o", "open ai/gpt", "a/b c"];
  for (const model of wrong) assert.ok(errorsOf({ model, input: "1", output: "1" }).model, model);
  for (const model of ["openai/gpt-4o", " a/b/c ", "vllm/our:model"]) {
    assert.deepEqual(errorsOf({ model, input: "1", output: "x" }), { model: false, input: false, output: true });
  }
});

test("rows are the models that runs called and those with a price of their own", () => {
  const price = { input: 1, output: 2 };
  const rows = toRows({
    source: { name: "", url: "", licence: "", date: "" },
    list: { "c/c": price },
    environment: { "b/b": price, "d/d": price },
    prices: { "d/d": { input: 9, output: 9 } },
    models: [
      { id: "z/z", price: null, origin: null },
      { id: "b/b", price, origin: "environment" },
      { id: "a/a", price, origin: "list" },
    ],
  } satisfies Prices);
  assert.deepEqual(
    rows.map(({ model, origin, price }) => [model, origin, price?.input]),
    [
      ["a/a", "list", 1],
      ["b/b", "environment", 1],
      ["d/d", "set", 9],
      ["z/z", "none", undefined],
    ],
  );
});

test("a price replaces another spelling of the same model, and leaves the others", () => {
  const [one, two] = [
    { input: 1, output: 1 },
    { input: 2, output: 2 },
  ];
  assert.deepEqual(withPrice({ "A/b": one, "c/d": one }, "a/B", two), { "c/d": one, "a/B": two });
  assert.deepEqual(withoutPrice({ "A/b": one, "c/d": two }, "a/b"), { "c/d": two });
});
