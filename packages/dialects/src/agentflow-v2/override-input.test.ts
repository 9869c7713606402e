import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { foreignFlow, startNode } from "../testing/foreign-file.ts";
import { overrideInput } from "./override-input.ts";

const flow = foreignFlow([
  startNode,
  { id: "llmAgentflow_0", label: "Writer", inputs: { tone: "dry", list: ["a"], more: { a: 1, b: 2 } } },
  { id: "llmAgentflow_1", label: "Writer", inputs: { more: '{"a":1}' } },
  { id: "llmAgentflow_2", label: "Reader", inputs: { tone: "dry" } },
]);

function inputsAfter(name: string, value: Json): JsonObject[] {
  const before = structuredClone(flow);
  const { nodes } = overrideInput(flow, { name, value, labels: ["Writer"] });
  assert.deepEqual(flow, before);
  return (nodes as { data: { inputs: JsonObject } }[]).slice(1).map(({ data }) => data.inputs);
}

test("a value replaces that of every node with the label, and of no other", () => {
  const tones = inputsAfter("tone", "warm").map(({ tone }) => tone);
  assert.deepEqual(tones, ["warm", "warm", "dry"]);
  assert.deepEqual(
    inputsAfter("tone", false).map(({ tone }) => tone),
    [false, false, "dry"],
  );
});

test("a list is added to a list, and an object laid over an object or its JSON", () => {
  assert.deepEqual(
    inputsAfter("list", ["b"]).map(({ list }) => list),
    [["a", "b"], ["b"], undefined],
  );
  assert.deepEqual(
    inputsAfter("more", { b: 3 }).map(({ more }) => more),
    [{ a: 1, b: 3 }, { a: 1, b: 3 }, undefined],
  );
  assert.deepEqual(inputsAfter("tone", { b: 3 })[0]?.tone, { b: 3 });
});

test("an object by ids of nodes is for those alone", () => {
  const value = { llmAgentflow_1: "warm", llmAgentflow_2: "warm" };
  assert.deepEqual(
    inputsAfter("tone", value).map(({ tone }) => tone),
    ["dry", "warm", "dry"],
  );
});

test("what is no node is left as it is", () => {
  const odd: JsonObject = { nodes: [null, 7, { id: "x" }, { data: { label: "Writer", inputs: 3 } }] };
  const { nodes } = overrideInput(odd, { name: "tone", value: "warm", labels: ["Writer"] });
  assert.deepEqual(nodes, [null, 7, { id: "x" }, { data: { label: "Writer", inputs: { tone: "warm" } } }]);
  assert.deepEqual(overrideInput({}, { name: "tone", value: 1, labels: [] }), { nodes: [] });
});
