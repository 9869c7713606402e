import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { insertableTypes, insertion } from "./insertion.ts";
import { applyChanges } from "./model/edits.ts";
import { testCatalogue, testModel, testNode } from "./model/testing/test-flow.ts";

const typeOf = (type: string) => testCatalogue.typeOf({ type }) ?? assert.fail();
const at = (id: string, x: number, y = 0, more = {}) => testNode(id, { position: { x, y }, ...more });
const edgesOf = (model: ReturnType<typeof testModel>) =>
  [...model.edges.values()].map(({ source, sourcePort, target }) => `${source}:${sourcePort}>${target}`).toSorted();

describe("a step that is put on an edge", () => {
  it("takes its place, and what comes after makes room", () => {
    const model = testModel(
      [at("start_0", 0), at("step_0", 344), at("step_1", 688), at("step_9", 344, 200)],
      ["start_0>step_0", "step_0>step_1"],
    );
    const { id, changes } = insertion(model, testCatalogue, typeOf("step"), "start_0>step_0") ?? assert.fail();
    const after = applyChanges(model, changes);
    assert.deepEqual(edgesOf(after), [`${id}:out>step_0`, `start_0:out>${id}`, "step_0:out>step_1"].toSorted());
    const xOf = (node: string) => after.nodes.get(node)?.position.x;
    assert.deepEqual([xOf(id), xOf("step_0"), xOf("step_1"), xOf("step_9")], [344, 688, 1_032, 344]);
  });

  it("keeps the output that the edge left from, leads on by its own first one, and stays in its sub-flow", () => {
    const inside = { parent: "each_0" };
    const model = testModel(
      [at("each_0", 0), at("choose_0", 24, 88, inside), at("step_0", 900, 88, inside)],
      ["choose_0:else>step_0"],
    );
    const { id, changes } = insertion(model, testCatalogue, typeOf("choose"), "choose_0:else>step_0") ?? assert.fail();
    const after = applyChanges(model, changes);
    assert.deepEqual(edgesOf(after), [`choose_0:else>${id}`, `${id}:else>step_0`]);
    assert.equal(after.nodes.get(id)?.parent, "each_0");
    assert.equal(after.nodes.get("step_0")?.position.x, 900, "There is room enough.");
  });

  it("leaves in place what leads back", () => {
    const model = testModel(
      [at("start_0", 0), at("step_0", 344), at("step_1", 688)],
      ["start_0>step_0", "step_0>step_1", "step_1>step_0"],
    );
    const { changes } = insertion(model, testCatalogue, typeOf("step"), "step_0>step_1") ?? assert.fail();
    const after = applyChanges(model, changes);
    assert.equal(after.nodes.get("step_0")?.position.x, 344);
    assert.equal(after.nodes.get("step_1")?.position.x, 1_032);
  });

  it("is of a type that leads on, and is not made where the edge is gone", () => {
    assert.deepEqual(
      insertableTypes(testCatalogue, "").map(({ type }) => type),
      ["step", "choose", "loop", "agent", "each"],
    );
    assert.equal(insertion(testModel([]), testCatalogue, typeOf("step"), "gone"), undefined);
  });
});
