import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallDelta, createCallCollector } from "./tool-calls.ts";

type Piece = Partial<CallDelta>;

function collect(pieces: readonly Piece[]) {
  const collector = createCallCollector((position) => `own-${position}`);
  for (const piece of pieces) {
    const none = { index: undefined, id: undefined, name: undefined, vendorState: undefined };
    collector.add({ ...none, arguments: "", ...piece });
  }
  return collector.finish().map(({ id, name, arguments: text }) => `${id} ${name} ${text}`);
}

const streams: Record<string, [pieces: Piece[], calls: string[]]> = {
  "by index, as OpenAI sends them": [
    [
      { index: 0, id: "a", name: "f" },
      { index: 0, arguments: '{"x"' },
      { index: 1, id: "b", name: "g" },
      { index: 0, arguments: ":1}" },
      { index: 1, arguments: "{}" },
    ],
    ['a f {"x":1}', "b g {}"],
  ],
  "in the order of their indices": [
    [
      { index: 1, id: "b", name: "g", arguments: "{}" },
      { index: 0, id: "a", name: "f", arguments: "{}" },
    ],
    ["a f {}", "b g {}"],
  ],
  "whole and without an index, as Google sends them": [
    [
      { id: "a", name: "f", arguments: "{}" },
      { id: "b", name: "f", arguments: '{"x":1}' },
    ],
    ["a f {}", 'b f {"x":1}'],
  ],
  "without index and id": [
    [{ name: "f", arguments: "{}" }, { name: "f", arguments: '{"a' }, { arguments: '":1}' }],
    ["own-0 f {}", 'own-1 f {"a":1}'],
  ],
  "some with an index and some without": [
    [
      { id: "b", name: "g", arguments: "{}" },
      { index: 0, id: "a", name: "f", arguments: "{}" },
    ],
    ["b g {}", "a f {}"],
  ],
  "several at one index": [
    [
      { index: 0, id: "a", name: "f", arguments: '{"x":1}' },
      { index: 0, id: "b", name: "f", arguments: '{"x":2}' },
      { index: 0, id: "c", name: "g", arguments: "{}" },
    ],
    ['a f {"x":1}', 'b f {"x":2}', "c g {}"],
  ],
  "several with one id": [
    [
      { index: 0, id: "a", name: "f", arguments: '{"x":1}' },
      { index: 1, id: "a", name: "f", arguments: '{"x":2}' },
    ],
    ['a f {"x":1}', 'own-1 f {"x":2}'],
  ],
  "with a new id in every piece": [
    [
      { index: 0, id: "a", name: "f" },
      { index: 0, id: "b", name: "f", arguments: "" },
      { index: 0, id: "c", arguments: '{"s":"}\\"' },
      { index: 0, id: "d", arguments: '"}' },
    ],
    ['a f {"s":"}\\""}'],
  ],
  "with the name in every piece": [
    [
      { index: 0, id: "a", name: "f", arguments: '{"x"' },
      { index: 0, id: "a", name: "f", arguments: ":1}" },
    ],
    ['a f {"x":1}'],
  ],
  "with a blank name in later pieces": [
    [
      { index: 0, id: "a", name: "f", arguments: '{"x"' },
      { index: 0, name: " ", arguments: ":1}" },
    ],
    ['a f {"x":1}'],
  ],
  "with a late name": [
    [
      { index: 0, id: "a", arguments: '{"x"' },
      { index: 0, name: "f", arguments: ":1}" },
    ],
    ['a f {"x":1}'],
  ],
  "with a known id at another index and no name, which belongs to neither": [
    [
      { index: 0, id: "a", name: "f", arguments: "{" },
      { index: 1, id: "b", name: "g", arguments: "{" },
      { index: 1, id: "a", arguments: "lost" },
      { index: 0, arguments: "}" },
      { id: "b", arguments: "}" },
    ],
    ["a f {}", "b g {}"],
  ],
  "a piece that may belong to several is left out, unless only one is not whole": [
    [
      { index: 0, id: "a", name: "f", arguments: "[1" },
      { index: 1, id: "b", name: "g", arguments: "{" },
      { arguments: "lost" },
      { index: 0, arguments: "]" },
      { arguments: "}" },
    ],
    ["a f [1]", "b g {}"],
  ],
  "a blank name alone is nothing": [[{ index: 0, id: "a", name: "", arguments: "{}" }], []],
};

for (const [name, [pieces, calls]] of Object.entries(streams)) {
  test(`calls ${name}`, () => assert.deepEqual(collect(pieces), calls));
}

test("a call without a name, and calls without end, are no answer", () => {
  const invalid = { code: "model-invalid-answer" };
  assert.throws(() => collect([{ index: 0, id: "a", arguments: "{}" }]), invalid);
  assert.throws(() => collect([{ arguments: "{}" }]), invalid);
  const many = Array.from({ length: 1_001 }, (_, index) => ({ index, name: "f" }));
  assert.equal(collect(many.slice(1)).length, 1_000);
  assert.throws(() => collect(many), invalid);
});
