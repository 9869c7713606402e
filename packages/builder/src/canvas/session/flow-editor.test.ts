import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  addElements,
  configureNode,
  connect,
  labelNode,
  moveNodes,
  placeInside,
  removeElements,
} from "../model/edits.ts";
import { type FlowModel, toDocument } from "../model/flow-model.ts";
import { testCatalogue, testEdge, testModel, testNode } from "../model/testing/test-flow.ts";
import { createFlowEditor } from "./flow-editor.ts";

const ids = ({ nodes, edges }: FlowModel) => [...nodes.keys(), ...edges.keys()].toSorted();

function editorOf(model = testModel(["start_0", "step_0", "step_1"], ["start_0>step_0", "step_0>step_1"])) {
  const clock = { nowMs: 0 };
  return { editor: createFlowEditor(model, () => clock.nowMs), clock, model };
}

describe("a flow editor", () => {
  it("undoes and redoes what was added, removed, moved, renamed and configured", () => {
    const { editor, model } = editorOf();
    const steps = [
      () => addElements([testNode("step_2")], [testEdge("step_1>step_2")]),
      () => moveNodes(editor.state().model, new Map([["step_0", { x: 8, y: 16 }]])),
      () => labelNode(editor.state().model, "step_0", "Ask"),
      () => configureNode(editor.state().model, testCatalogue, { id: "step_0", config: { text: "Hi" } }),
      () => removeElements(editor.state().model, ["step_0"]),
    ];
    const seen = [editor.state().model];
    for (const step of steps) {
      editor.edit(step());
      seen.push(editor.state().model);
    }
    assert.deepEqual(ids(editor.state().model), ["start_0", "step_1", "step_1>step_2", "step_2"]);
    const sorted = (flow: FlowModel) => ({
      nodes: new Map([...flow.nodes].toSorted()),
      edges: new Map([...flow.edges].toSorted()),
    });
    for (let step = steps.length; step > 0; step -= 1) {
      assert.deepEqual(sorted(editor.state().model), sorted(seen[step] as FlowModel));
      editor.undo();
    }
    assert.deepEqual(sorted(editor.state().model), sorted(model));
    assert.equal(editor.state().canUndo, false);
    editor.undo();
    for (const expected of seen.slice(1)) {
      editor.redo();
      assert.deepEqual(sorted(editor.state().model), sorted(expected));
    }
    assert.equal(editor.state().canRedo, false);
  });

  it("makes one step of what is typed in one go, and two where time, another key or a seal comes between", () => {
    const { editor, clock } = editorOf();
    const type = (label: string, key = "label step_0") =>
      editor.edit(labelNode(editor.state().model, "step_0", label), key);
    const label = () => editor.state().model.nodes.get("step_0")?.label;
    for (const text of ["A", "As", "Ask"]) type(text);
    clock.nowMs = 5_000;
    type("Ask them");
    editor.seal();
    type("Ask all");
    editor.undo();
    assert.equal(label(), "Ask them");
    editor.undo();
    assert.equal(label(), "Ask");
    editor.undo();
    assert.equal(label(), "step_0");
    assert.equal(editor.state().canUndo, false);
  });

  it("leaves no step behind where typing came to nothing", () => {
    const { editor, model } = editorOf();
    const before = model.nodes.get("step_0");
    editor.edit(labelNode(model, "step_0", "x"), "label");
    assert.ok(before);
    editor.edit(
      [{ kind: "node", id: "step_0", before: editor.state().model.nodes.get("step_0"), after: before }],
      "label",
    );
    assert.deepEqual([editor.state().canUndo, editor.state().isDirty], [false, false]);
  });

  it("forgets what could be redone once something else is done", () => {
    const { editor } = editorOf();
    editor.edit(labelNode(editor.state().model, "step_0", "x"));
    editor.undo();
    editor.edit(labelNode(editor.state().model, "step_1", "y"));
    assert.equal(editor.state().canRedo, false);
  });

  it("is dirty exactly while it differs from what was saved", () => {
    const { editor } = editorOf();
    const isDirty = () => editor.state().isDirty;
    editor.edit(labelNode(editor.state().model, "step_0", "x"));
    assert.equal(isDirty(), true);
    editor.undo();
    assert.equal(isDirty(), false);
    editor.redo();
    const saving = editor.state().model;
    editor.edit(labelNode(saving, "step_1", "typed while it was being saved"));
    editor.markSaved(saving);
    assert.equal(isDirty(), true);
    editor.undo();
    assert.equal(isDirty(), false);
    editor.markUnsaved();
    assert.equal(isDirty(), true);
  });

  it("tells whoever subscribed, and nobody of a change that is none", () => {
    const { editor, model } = editorOf();
    let calls = 0;
    const stop = editor.subscribe(() => {
      calls += 1;
    });
    editor.edit(labelNode(model, "step_0", "step_0"));
    editor.edit(
      moveNodes(
        model,
        new Map([
          ["step_0", { x: 0, y: 0 }],
          ["gone", { x: 1, y: 1 }],
        ]),
      ),
    );
    assert.equal(calls, 0);
    editor.edit(labelNode(model, "step_0", "x"));
    stop();
    editor.undo();
    assert.equal(calls, 1);
  });

  it("removes what lies in a node with it, and the edges at all of it", () => {
    const inside = testNode("step_0", { parent: "each_0" });
    const model = testModel(
      ["start_0", "each_0", inside, testNode("step_1", { parent: "each_0" })],
      ["start_0>each_0", "step_0>step_1"],
    );
    const { editor } = editorOf(model);
    editor.edit(removeElements(model, ["each_0"]));
    assert.deepEqual(ids(editor.state().model), ["start_0"]);
    editor.undo();
    assert.deepEqual(ids(editor.state().model), ids(model));
  });

  it("takes the edges of a branch away with it", () => {
    const config = { branches: [{ id: "a" }, { id: "b" }] };
    const model = testModel(
      [testNode("choose_0", { config }), "step_0"],
      ["choose_0:a>step_0", "choose_0:b>step_0", "choose_0:error>step_0"],
    );
    const { editor } = editorOf(model);
    editor.edit(configureNode(model, testCatalogue, { id: "choose_0", config: { branches: [{ id: "b" }] } }));
    assert.deepEqual([...editor.state().model.edges.keys()], ["choose_0:b>step_0", "choose_0:error>step_0"]);
  });

  it("puts a node into a sub-flow and out of it where it stands, without edges that would cross", () => {
    const model = testModel(
      [
        "start_0",
        testNode("each_0", { position: { x: 100, y: 50 } }),
        testNode("step_0", { position: { x: 160, y: 150 } }),
      ],
      ["start_0>step_0", "start_0>each_0"],
    );
    const { editor } = editorOf(model);
    editor.edit(placeInside(model, "step_0", "each_0"));
    const inside = editor.state().model;
    assert.deepEqual(
      [inside.nodes.get("step_0")?.parent, inside.nodes.get("step_0")?.position],
      ["each_0", { x: 60, y: 100 }],
    );
    assert.deepEqual([...inside.edges.keys()], ["start_0>each_0"]);
    editor.edit(placeInside(inside, "step_0", undefined));
    const { parent, position } = editor.state().model.nodes.get("step_0") ?? {};
    assert.deepEqual([parent, position], [undefined, { x: 160, y: 150 }]);
  });

  it("names a new edge for its ends, and stores parents before what lies in them", () => {
    const model = testModel([testNode("step_0", { parent: "each_0" }), "each_0", "start_0"]);
    const [change] = connect(model, { source: "start_0", sourcePort: "out", target: "each_0" });
    assert.equal(change?.id, "start_0-out-each_0");
    assert.deepEqual(
      toDocument(model).nodes.map(({ id }) => id),
      ["each_0", "start_0", "step_0"],
    );
  });
});
