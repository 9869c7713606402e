import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Document, Json, JsonObject } from "@weft/schema";
import { runFactsOf } from "./run-facts.ts";

const flow = { graph: { nodes: new Map() } } as unknown as Parameters<typeof runFactsOf>[0];
const passage = (pageContent: string, metadata: JsonObject = {}): Document => ({ pageContent, metadata });
const output = (...sourceDocuments: Document[]): Json => ({ sourceDocuments }) as Json;
const numbered = (pageContent: string, citationNumber: number) => passage(pageContent, { citationNumber });

function sources(text: string, ...outputs: Json[]) {
  return runFactsOf(flow, outputs, { text }).sourceDocuments.map(({ pageContent, metadata }) => [
    pageContent,
    metadata,
  ]);
}

describe("the sources of an answer", () => {
  it("say by which number the answer may cite them, and whether it does", () => {
    assert.deepEqual(sources("So it is [2]. `[1]`", output(numbered("a", 1), numbered("b", 2))), [
      ["a", { citationNumber: 1, isCited: false }],
      ["b", { citationNumber: 2, isCited: true }],
    ]);
  });

  it("are what they were where nothing can be cited", () => {
    assert.deepEqual(sources("[1]", output(passage("a", { source: "x" }), passage("a", { source: "x" }))), [
      ["a", { source: "x" }],
    ]);
  });

  it("are shown once, under the number of the model that may cite them", () => {
    const found = output(passage("a"), passage("b"));
    assert.deepEqual(sources("[1]", found, output(numbered("a", 1))), [
      ["b", {}],
      ["a", { citationNumber: 1, isCited: true }],
    ]);
    assert.deepEqual(sources("[1] [4]", output(numbered("a", 1)), output(numbered("a", 4))), [
      ["a", { citationNumber: 1, isCited: true }],
      ["a", { citationNumber: 4, isCited: true }],
    ]);
  });

  it("have no number where models side by side gave it to two of them", () => {
    assert.deepEqual(sources("[1]", output(numbered("a", 1)), output(numbered("b", 1))), [
      ["a", {}],
      ["b", {}],
    ]);
  });
});
