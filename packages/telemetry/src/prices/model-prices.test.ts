import assert from "node:assert/strict";
import { test } from "node:test";
import { calcPrice } from "@pydantic/genai-prices";
import { createModelPrices, readOwnPrices } from "./model-prices.ts";

const usage = { inputTokens: 1_000, outputTokens: 500, totalTokens: 1_500 };

test("a price is found under the spellings that vendors use for the same model, and no other", () => {
  const { find, originOf } = createModelPrices({});
  assert.deepEqual([originOf("openai/gpt-4o-mini"), originOf("openai/none")], ["list", undefined]);
  const mini = find("openai/gpt-4o-mini");
  assert.deepEqual(mini, { input: 0.15, output: 0.6, cachedInput: 0.075 });
  for (const spelling of ["gpt-4o-mini-2024-07-18", "GPT-4o-mini", "gpt-4o-mini-latest"]) {
    assert.deepEqual(find(`openai/${spelling}`), mini, spelling);
  }
  const haiku = find("anthropic/claude-3-5-haiku");
  assert.ok(haiku);
  assert.deepEqual(find("anthropic/claude-3-5-haiku-20241022"), haiku);
  assert.deepEqual(find("anthropic/claude-3-5-haiku@20241022"), haiku);
  // A name that merely begins like that of a known model is another model.
  for (const other of ["gpt-4o-mini-of-ours", "gpt-4o-mini-", "constructor", "", "2024-07-18"]) {
    assert.equal(find(`openai/${other}`), undefined, other);
  }
  assert.equal(find("gpt-4o-mini"), undefined);
});

test("an unknown model has no cost, which is not 0; a model that is free by the operator's word costs 0", () => {
  const prices = createModelPrices({ "ollama/llama3.2": { input: 0, output: 0 } });
  assert.equal(prices.costOf("openai/no-such-model", usage), undefined);
  assert.equal(prices.costOf("openai-compatible/gpt-4o", usage), undefined);
  assert.equal(prices.costOf("ollama/llama3.2", usage), 0);
  assert.ok(Math.abs((prices.costOf("openai/gpt-4o-mini", usage) ?? 0) - (0.15 + 0.3) / 1_000) < 1e-12);
});

test("prices set here win over the environment, which wins over the list, and end when they are no longer set", () => {
  const id = "openai/gpt-4o";
  const prices = createModelPrices({ [id]: { input: 1, output: 2 } });
  const listed = createModelPrices({}).find(id);
  assert.deepEqual(prices.find(id), { input: 1, output: 2 });
  prices.set({ "OpenAI/gpt-4o": { input: 3, output: 4 } });
  assert.deepEqual(prices.find("openai/gpt-4o-2024-08-06"), { input: 3, output: 4 });
  assert.equal(prices.originOf("openai/gpt-4o-2024-08-06"), "set");
  prices.set({});
  assert.deepEqual(prices.find(id), { input: 1, output: 2 });
  assert.notDeepEqual(listed, { input: 1, output: 2 });
});

test("the shipped list says what its source says, and names it with its date", () => {
  const { list, source, costOf } = createModelPrices({});
  assert.match(source.name, /^@pydantic\/genai-prices \d/);
  assert.equal(source.licence, "MIT");
  assert.match(source.date, /^\d{4}-\d{2}-\d{2}$/);
  const timestamp = new Date(`${source.date}T12:00:00Z`);
  for (const model of ["openai/gpt-4.1", "anthropic/claude-sonnet-4-5", "google/gemini-2.5-flash", "xai/grok-4"]) {
    const [providerId = "", name = ""] = model.split("/");
    const counted = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
    const expected = calcPrice(counted, name, { providerId, timestamp })?.total_price;
    assert.ok(expected !== undefined && Math.abs((costOf(model, usage) ?? 0) - expected) < 1e-9, model);
  }
  assert.ok(Object.values(list).every(({ input, output }) => input + output > 0));
});

test("own prices are read from JSON, and what is none is a sentence that does not repeat it", () => {
  assert.deepEqual(readOwnPrices(""), { prices: {}, mistakes: [] });
  const text = '{"openai/gpt-4o":{"input":2.5,"output":10}}';
  assert.deepEqual(readOwnPrices(text), { prices: JSON.parse(text), mistakes: [] });
  for (const wrong of [
    "{",
    "7",
    "[]",
    '{"m":{"input":-1,"output":0}}',
    '{"m":{"input":1}}',
    '{"m":{"input":1,"output":2,"x":3}}',
  ]) {
    const { prices, mistakes } = readOwnPrices(wrong);
    assert.deepEqual(prices, {});
    assert.match(mistakes.join(), /^MODEL_PRICES must be JSON with US dollars/);
  }
});
