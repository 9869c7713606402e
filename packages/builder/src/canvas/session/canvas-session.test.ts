import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Finding } from "@weft/schema";
import type { FlowModel } from "../model/flow-model.ts";
import { testCatalogue, testModel, testNode } from "../model/testing/test-flow.ts";
import { createCanvasSession } from "./canvas-session.ts";

const open = (model: FlowModel) => createCanvasSession(model, testCatalogue.types);
const typeOf = (type: string) => {
  const found = testCatalogue.typeOf({ type });
  assert.ok(found);
  return found;
};

describe("a flow that is open on a canvas", () => {
  it("adds a step behind the selected one and connects it, in one step that can be undone", () => {
    const { commands, elements, editor } = open(testModel(["start_0"]));
    elements.select(["start_0"]);
    commands.add(typeOf("step"));
    commands.add(typeOf("step"));
    const { nodes, edges } = editor.state().model;
    assert.deepEqual(
      [...edges.values()].map(({ source, target }) => `${source}>${target}`),
      ["start_0>step_0", "step_0>step_1"],
    );
    assert.ok((nodes.get("step_0")?.position.x ?? 0) > 0);
    assert.deepEqual(elements.selectedNodeIds(), ["step_1"]);
    editor.undo();
    assert.deepEqual([...editor.state().model.nodes.keys()], ["start_0", "step_0"]);
    assert.equal(editor.state().model.edges.size, 1);
  });

  it("adds without a connection where the way out is taken, there is none, or a place was chosen", () => {
    const { commands, elements, editor } = open(testModel(["start_0", "step_0", "note_0"], ["start_0>step_0"]));
    for (const id of ["start_0", "note_0"]) {
      elements.select([id]);
      commands.add(typeOf("step"));
    }
    commands.add(typeOf("step"), { at: { x: 1_003, y: 501 } });
    assert.equal(editor.state().model.edges.size, 1);
    assert.deepEqual(editor.state().model.nodes.get("step_3")?.position, { x: 1_000, y: 504 });
  });

  it("puts what is added to, or dropped on, a sub-flow into it, and takes out what is pulled out", () => {
    const { commands, editor } = open(
      testModel([
        testNode("each_0", { position: { x: 100, y: 100 } }),
        testNode("step_0", { position: { x: 900, y: 0 } }),
      ]),
    );
    const parentOf = (id: string) => editor.state().model.nodes.get(id)?.parent;
    commands.add(typeOf("step"), { at: { x: 150, y: 200 } });
    assert.equal(parentOf("step_1"), "each_0");
    commands.settle("step_0");
    assert.equal(parentOf("step_0"), undefined);
    editor.edit([
      {
        kind: "node",
        id: "step_0",
        before: editor.state().model.nodes.get("step_0"),
        after: testNode("step_0", { position: { x: 140, y: 180 } }),
      },
    ]);
    commands.settle("step_0");
    assert.equal(parentOf("step_0"), "each_0");
  });

  it("draws only what changed anew, keeps the selection, and shows a drag before it is an edit", () => {
    const { elements, editor } = open(testModel(["start_0", "step_0"], ["start_0>step_0"]));
    elements.select(["step_0"]);
    const [start, step] = elements.view().nodes;
    const [edge] = elements.view().edges;
    elements.changeNodes([{ type: "position", id: "step_0", position: { x: 80, y: 0 }, dragging: true }]);
    assert.equal(editor.state().canUndo, false);
    assert.deepEqual(elements.view().nodes[1]?.position, { x: 80, y: 0 });
    elements.changeNodes([{ type: "position", id: "step_0", position: { x: 88, y: 0 }, dragging: false }]);
    assert.deepEqual(editor.state().model.nodes.get("step_0")?.position, { x: 88, y: 0 });
    assert.equal(elements.view().nodes[0], start);
    assert.equal(elements.view().edges[0], edge);
    assert.notEqual(elements.view().nodes[1], step);
    assert.equal(elements.view().nodes[1]?.selected, true);
    editor.undo();
    assert.deepEqual(elements.view().nodes[1]?.position, { x: 0, y: 0 });
  });

  it("draws where a loop goes back to, as long as that is there", () => {
    const loop = testNode("loop_0", { config: { target: "step_0" } });
    const { commands, elements, editor } = open(testModel(["step_0", loop], ["step_0>loop_0"]));
    const back = () => elements.view().edges.filter(({ type }) => type === "back");
    assert.deepEqual(
      back().map(({ source, target, selectable }) => [source, target, selectable]),
      [["loop_0", "step_0", false]],
    );
    assert.equal(editor.state().model.edges.size, 1, "It is no edge of the flow.");
    elements.select(["step_0"]);
    commands.removeSelection();
    assert.deepEqual(back(), []);
  });

  it("makes one step of several presses of an arrow key, and of a resize", () => {
    const { elements, editor } = open(testModel(["step_0", "note_0"]));
    for (const x of [8, 16, 24])
      elements.changeNodes([{ type: "position", id: "step_0", position: { x, y: 0 }, dragging: false }]);
    const resize = (width: number, resizing: boolean) =>
      elements.changeNodes([
        { type: "position", id: "note_0", position: { x: -8, y: 0 } },
        { type: "dimensions", id: "note_0", dimensions: { width, height: 96 }, resizing, setAttributes: true },
      ]);
    resize(300, true);
    resize(320, false);
    assert.deepEqual(editor.state().model.nodes.get("note_0")?.size, { width: 320, height: 96 });
    editor.undo();
    assert.equal(editor.state().model.nodes.get("note_0")?.size, undefined);
    editor.undo();
    assert.deepEqual([editor.state().canUndo, editor.state().isDirty], [false, false]);
  });

  it("refuses a connection with a reason, and takes one that is allowed", () => {
    const { commands, editor } = open(testModel(["start_0", "step_0"]));
    assert.match(commands.connect({ source: "step_0", sourcePort: "out", target: "start_0" }) ?? "", /start/);
    assert.equal(commands.connect({ source: "start_0", sourcePort: "out", target: "step_0" }), undefined);
    assert.equal(editor.state().model.edges.size, 1);
  });

  it("replaces the whole flow, and brings it back", () => {
    const { commands, editor } = open(testModel(["start_0", "step_0"], ["start_0>step_0"]));
    commands.replaceAll(testModel(["start_0", testNode("choose_0")]));
    assert.deepEqual([...editor.state().model.nodes.keys()], ["start_0", "choose_0"]);
    editor.undo();
    assert.deepEqual(
      [[...editor.state().model.nodes.keys()].toSorted(), editor.state().model.edges.size],
      [["start_0", "step_0"], 1],
    );
  });

  it("lays an imported flow out where steps would lie on each other, and leaves a clear one as it was drawn", () => {
    const at = (id: string, x: number) => testNode(id, { position: { x, y: 0 } });
    const crowded = testModel([at("start_0", 0), at("step_0", 120)], ["start_0>step_0"]);
    const clear = testModel([at("start_0", 0), at("step_0", 1_000)], ["start_0>step_0"]);
    const xOf = ({ editor }: ReturnType<typeof open>) => editor.state().model.nodes.get("step_0")?.position.x;
    assert.equal(xOf(open(crowded)), 120, "It was drawn here.");
    assert.equal(xOf(createCanvasSession(crowded, testCatalogue.types, { isForeign: true })), 344);
    assert.equal(xOf(createCanvasSession(clear, testCatalogue.types, { isForeign: true })), 1_000);
    const session = open(testModel([]));
    session.commands.replaceAll(crowded);
    assert.equal(xOf(session), 344);
  });

  it("becomes another flow by what is different, which is one step however often it is called", () => {
    const { commands, editor, elements } = open(testModel(["start_0", "step_0"], ["start_0>step_0"]));
    const [start] = elements.view().nodes;
    commands.reconcile(testModel(["start_0", testNode("step_0", { label: "Other" })], ["start_0>step_0"]));
    const after = commands.reconcile(testModel(["start_0", testNode("step_0", { label: "Another" }), "step_1"]));
    assert.equal(after, editor.state().model);
    assert.deepEqual([after.nodes.get("step_0")?.label, after.nodes.size, after.edges.size], ["Another", 3, 0]);
    assert.equal(elements.view().nodes[0], start, "What is the same is not drawn anew.");
    editor.undo();
    assert.deepEqual([editor.state().model.nodes.size, editor.state().canUndo], [2, false]);
    assert.equal(editor.state().model.nodes.get("step_0")?.label, "step_0");
  });

  it("goes back to an earlier flow, which is undone by itself right after an edit", () => {
    const { commands, editor } = open(testModel(["start_0", "step_0"], ["start_0>step_0"]));
    const labelled = (label: string) => testModel(["start_0", testNode("step_0", { label })], ["start_0>step_0"]);
    commands.reconcile(labelled("Edited"));
    const edited = editor.state().model;
    commands.restore(testModel(["start_0"]));
    assert.deepEqual([editor.state().model.nodes.size, editor.state().model.edges.size], [1, 0]);
    editor.undo();
    assert.deepEqual(editor.state().model, edited);
    assert.equal(editor.state().canUndo, true);
  });

  it("pastes nothing but parts of flows", () => {
    const { commands, elements, editor } = open(testModel(["start_0", "step_0"]));
    assert.equal(commands.copySelection(), undefined);
    assert.equal(commands.paste("Hello"), false);
    elements.select(["step_0"]);
    commands.duplicateSelection();
    assert.deepEqual(elements.selectedNodeIds(), ["step_1"]);
    commands.removeSelection();
    assert.deepEqual([...editor.state().model.nodes.keys()], ["start_0", "step_0"]);
  });

  it("tells a node of its findings only when they change", () => {
    const { findings } = open(testModel(["step_0"]));
    const finding: Finding = { level: "error", code: "x", nodeId: "step_0", message: "Wrong." };
    let calls = 0;
    findings.subscribe("step_0", () => {
      calls += 1;
    });
    for (let check = 0; check < 2; check += 1) findings.replace(new Map([["step_0", [{ ...finding }]]]));
    assert.equal(calls, 1);
  });
});
