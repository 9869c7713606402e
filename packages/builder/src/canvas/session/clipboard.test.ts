import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toDocument } from "../model/flow-model.ts";
import { testCatalogue, testModel, testNode } from "../model/testing/test-flow.ts";
import { copyToText, freshPart, parsePart } from "./clipboard.ts";

const source = testModel(
  [
    "start_0",
    testNode("step_0", { label: "Ask", position: { x: 100, y: 0 } }),
    testNode("step_1", {
      label: "Sum up",
      config: { text: "{{ step_0.output.text }}, {{start_0.question}}, {{ step_0 }} step_0" },
    }),
    testNode("loop_0", { config: { target: "step_0", times: 3 } }),
  ],
  ["start_0>step_0", "step_0>step_1", "step_1>loop_0"],
);

const paste = (text: string, model = source, options = {}) => {
  const part = parsePart(text);
  assert.ok(part);
  return freshPart(model, testCatalogue, part, { offset: { x: 40, y: 40 }, ...options });
};

describe("the clipboard", () => {
  it("pastes copies under fresh ids, whose references go to the copies", () => {
    const { nodes, edges } = paste(copyToText(source, ["step_0", "step_1", "loop_0"]));
    assert.deepEqual(
      nodes.map(({ id, label, config }) => [id, label, config]),
      [
        ["step_2", "Ask 2", {}],
        ["step_3", "Sum up 2", { text: "{{ step_2.output.text }}, {{start_0.question}}, {{ step_2 }} step_0" }],
        ["loop_1", "loop_0 2", { target: "step_2", times: 3 }],
      ],
    );
    assert.deepEqual(nodes[0]?.position, { x: 140, y: 40 });
    assert.deepEqual(
      edges.map(({ source, target }) => `${source}>${target}`),
      ["step_2>step_3", "step_3>loop_1"],
    );
  });

  it("keeps ids and labels where another agent has room for them, and leaves out a second start", () => {
    const other = testModel(["start_0", "note_0"]);
    const { nodes, edges } = paste(copyToText(source, source.nodes.keys()), other);
    assert.deepEqual(
      nodes.map(({ id }) => id),
      ["step_0", "step_1", "loop_0"],
    );
    assert.equal(edges.length, 2);
    assert.equal(paste(copyToText(source, ["start_0"]), testModel([])).nodes.length, 1);
  });

  it("takes a sub-flow along, and lifts out of it what is copied alone", () => {
    const around = testNode("each_0", { position: { x: 200, y: 100 } });
    const inside = testNode("step_0", { parent: "each_0", position: { x: 24, y: 80 } });
    const model = testModel([around, inside]);
    const whole = paste(copyToText(model, ["each_0"]), model);
    assert.deepEqual(
      whole.nodes.map(({ id, parent, position }) => [id, parent, position]),
      [
        ["each_1", undefined, { x: 240, y: 140 }],
        ["step_1", "each_1", { x: 24, y: 80 }],
      ],
    );
    const alone = paste(copyToText(model, ["step_0"]), model);
    assert.deepEqual([alone.nodes[0]?.parent, alone.nodes[0]?.position], [undefined, { x: 264, y: 220 }]);
    const into = paste(copyToText(model, ["step_0"]), model, { parent: "each_0" });
    assert.equal(into.nodes[0]?.parent, "each_0");
  });

  it("reads a whole flow, and nothing else", () => {
    assert.equal(parsePart(JSON.stringify(toDocument(source)))?.nodes.length, 4);
    for (const text of [
      "",
      "Hello",
      "{}",
      "null",
      "3",
      '{"weftPart":1}',
      '{"weftPart":1,"nodes":[{"id":"a b","type":"x"}],"edges":[]}',
    ]) {
      assert.equal(parsePart(text), undefined, text);
    }
  });
});
