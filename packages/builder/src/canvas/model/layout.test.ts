import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { boxesOf, layoutFlow, overlaps, sizeOf, subFlowHeaderPx } from "./box.ts";
import { applyChanges, moveNodes } from "./edits.ts";
import { childrenOf, type FlowModel } from "./flow-model.ts";
import { testCatalogue, testModel, testNode } from "./testing/test-flow.ts";

const laidOut = (model: FlowModel) => applyChanges(model, moveNodes(model, layoutFlow(model, testCatalogue)));

function assertNothingOverlaps(model: FlowModel, parent?: string): void {
  const boxes = boxesOf(model, testCatalogue, parent);
  for (const [index, box] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) assert.ok(!overlaps(box, other), JSON.stringify([box, other]));
  }
}

describe("layoutFlow", () => {
  it("puts every step right of what leads to it, over nothing else", () => {
    const config = { branches: [{ id: "a" }, { id: "b" }] };
    const edges = [
      "start_0>choose_0",
      "choose_0:a>step_0",
      "choose_0:b>step_1",
      "choose_0:else>step_2",
      "step_0>step_3",
      "step_1>step_3",
    ];
    const before = testModel(
      ["start_0", testNode("choose_0", { config }), "step_0", "step_1", "step_2", "step_3"],
      edges,
    );
    const model = laidOut(before);
    const x = (id: string) => model.nodes.get(id)?.position.x ?? Number.NaN;
    for (const { source, target } of model.edges.values()) assert.ok(x(source) < x(target), `${source} ${target}`);
    assertNothingOverlaps(model);
  });

  it("keeps branches in their order, whatever the order of steps and edges", () => {
    const config = { branches: [{ id: "a" }, { id: "b" }, { id: "c" }] };
    const ports = ["a", "b", "c", "else"];
    const choose = testNode("choose_0", { config });
    const steps = ["step_3", "step_1", "step_0", "step_2"];
    const branches = ports.map((port, index) => `choose_0:${port}>step_${index}`);
    const more = ["step_0>step_4", "step_1>step_4", "step_3>step_5"];
    for (const edges of [branches, branches.toReversed(), [branches[2], branches[0], branches[3], branches[1]]]) {
      const model = laidOut(
        testModel(
          ["start_0", ...steps, choose, "step_4", "step_5"],
          ["start_0>choose_0", ...(edges as string[]), ...more],
        ),
      );
      const y = steps.toSorted().map((id) => model.nodes.get(id)?.position.y ?? Number.NaN);
      assert.deepEqual(
        y,
        y.toSorted((a, b) => a - b),
        String(edges),
      );
      assertNothingOverlaps(model);
    }
  });

  it("makes room for a sub-flow, and lays it out below its header", () => {
    const inside = ["step_1", "step_2", "step_3"].map((id) => testNode(id, { parent: "each_0" }));
    const model = laidOut(
      testModel(
        ["start_0", "each_0", ...inside, "step_0"],
        ["start_0>each_0", "each_0>step_0", "step_1>step_2", "step_2>step_3"],
      ),
    );
    assertNothingOverlaps(model);
    assertNothingOverlaps(model, "each_0");
    const around = model.nodes.get("each_0");
    assert.ok(around);
    const { width, height } = sizeOf(around, model, testCatalogue);
    for (const child of childrenOf(model, "each_0")) {
      const size = sizeOf(child, model, testCatalogue);
      assert.ok(child.position.y >= subFlowHeaderPx && child.position.x > 0);
      assert.ok(child.position.x + size.width < width && child.position.y + size.height < height);
    }
  });

  it("leaves notes where they are, and the flow where it was", () => {
    const note = testNode("note_0", { position: { x: -300, y: 7 } });
    const start = testNode("start_0", { position: { x: 400, y: 80 } });
    const model = laidOut(
      testModel([note, start, testNode("step_0", { position: { x: 900, y: 900 } })], ["start_0>step_0"]),
    );
    assert.deepEqual(model.nodes.get("note_0")?.position, { x: -300, y: 7 });
    assert.deepEqual(model.nodes.get("start_0")?.position, { x: 400, y: 80 });
    assert.deepEqual(layoutFlow(testModel([]), testCatalogue), new Map());
  });

  it("lays out a flow with a cycle, a foreign one may have one", () => {
    assert.equal(
      layoutFlow(testModel(["step_0", "step_1"], ["step_0>step_1", "step_1>step_0"]), testCatalogue).size,
      2,
    );
  });
});
