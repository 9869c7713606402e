import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testModel, testNode } from "../../../canvas/model/testing/test-flow.ts";
import { diffFlows, isEmptyDifference } from "./diff-flows.ts";

describe("diffFlows", () => {
  it("tells what came, went, moved and changed, field by field", () => {
    const before = testModel(
      ["start_0", testNode("step_0", { config: { text: "Hi", list: [1, 2], kept: { a: 1 } } }), "step_1"],
      ["start_0>step_0", "step_0>step_1"],
    );
    const after = testModel(
      [
        testNode("start_0", { position: { x: 5, y: 0 } }),
        testNode("step_0", { label: "Greet", config: { text: "Hello", list: [1], kept: { a: 1 }, more: true } }),
        "step_2",
      ],
      ["start_0>step_0", "step_0>step_2"],
    );
    const { nodes, edges, moved } = diffFlows(before, after);
    assert.deepEqual(
      nodes.map((difference) => [difference.type, difference.node.id]),
      [
        ["removed", "step_1"],
        ["changed", "step_0"],
        ["added", "step_2"],
      ],
    );
    const changed = nodes.find(({ type }) => type === "changed");
    assert.deepEqual(changed?.type === "changed" && changed.fields, [
      { of: "step", path: ["label"], before: "step_0", after: "Greet" },
      { of: "settings", path: ["text"], before: "Hi", after: "Hello" },
      { of: "settings", path: ["list", "1"], before: 2, after: undefined },
      { of: "settings", path: ["more"], before: undefined, after: true },
    ]);
    assert.deepEqual(
      edges.map(({ type, edge }) => `${type} ${edge.id}`),
      ["removed step_0>step_1", "added step_0>step_2"],
    );
    assert.equal(moved, 1);
  });

  it("takes a step for changed whose size or refused parts did, although no field names them", () => {
    const before = testModel([testNode("step_0")]);
    const after = testModel([testNode("step_0", { size: { width: 300, height: 200 } })]);
    const { nodes } = diffFlows(before, after);
    assert.deepEqual(
      nodes.map((change) => [change.type, change.type === "changed" && change.fields]),
      [["changed", []]],
    );
    const dealt = testModel([testNode("step_0", { refused: [{ code: "x", message: "Not taken over." }] })]);
    assert.ok(!isEmptyDifference(diffFlows(dealt, before)));
  });

  it("finds nothing between equal flows, whatever their edges are called", () => {
    const model = testModel(["start_0", "step_0"], ["start_0>step_0"]);
    const [edge] = model.edges.values();
    assert.ok(edge);
    assert.ok(isEmptyDifference(diffFlows(model, { ...model, edges: new Map([["e", { ...edge, id: "e" }]]) })));
    assert.ok(!isEmptyDifference(diffFlows(model, testModel(["start_0", "step_0"]))));
  });
});
