import assert from "node:assert/strict";
import { test } from "node:test";
import { hasSteps, plainSearch } from "./compare-modes.tsx";

test("a mode, a model and steps that are off are no steps; anything else is one", () => {
  for (const settings of [{}, { mode: "vector", chatModel: { model: "m" } }, { ...plainSearch }, { rerank: {} }]) {
    assert.equal(hasSteps(settings), false, JSON.stringify(settings));
  }
  for (const settings of [{ rerank: { provider: "jina" } }, { scoreThreshold: 0.3 }, { parent: "section" }]) {
    assert.equal(hasSteps(settings), true, JSON.stringify(settings));
  }
});
