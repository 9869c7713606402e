import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { drawInParts } from "./draw-in-parts.ts";
import { testCatalogue, testModel } from "./model/testing/test-flow.ts";
import type { CanvasView } from "./session/canvas-elements.ts";
import { createCanvasSession } from "./session/canvas-session.ts";

/** A flow of a start and steps in a row, and what is drawn of it by now. */
function draw(stepCount: number) {
  const steps = Array.from({ length: stepCount }, (_, index) => `step_${index}`);
  const edges = steps.map((id, index) => `${index === 0 ? "start_0" : steps[index - 1]}>${id}`);
  const { elements, commands } = createCanvasSession(testModel(["start_0", ...steps], edges), testCatalogue.types);
  const drawn: CanvasView = { nodes: [], edges: [] };
  let pending: (() => void) | undefined;
  const stop = drawInParts(elements, {
    setNodes: (nodes) => Object.assign(drawn, { nodes }),
    setEdges: (shown) => Object.assign(drawn, { edges: shown }),
    nextFrame(next) {
      pending = next;
      return () => {
        pending = undefined;
      };
    },
  });
  const frame = () => {
    const next = pending;
    pending = undefined;
    next?.();
  };
  return { drawn, frame, stop, elements, commands, isPending: () => pending !== undefined };
}

describe("a flow that is drawn", () => {
  it("comes in parts where it is large, with no edge to what is not there yet", () => {
    const { drawn, frame, isPending } = draw(249);
    assert.deepEqual([drawn.nodes.length, drawn.edges.length], [100, 99]);
    frame();
    assert.deepEqual([drawn.nodes.length, drawn.edges.length], [200, 199]);
    frame();
    assert.deepEqual([drawn.nodes.length, drawn.edges.length], [250, 249]);
    assert.equal(isPending(), false);
  });

  it("shows what changes, also between two parts, and all of what grows later", () => {
    const { drawn, frame, elements, commands } = draw(120);
    elements.select(["step_0"]);
    assert.equal(drawn.nodes.find(({ id }) => id === "step_0")?.selected, true);
    frame();
    commands.selectAll();
    commands.duplicateSelection();
    assert.equal(drawn.nodes.length, elements.view().nodes.length);
    assert.ok(drawn.nodes.length > 200);
  });

  it("is left alone once that is ended", () => {
    const { drawn, stop, elements, isPending } = draw(120);
    stop();
    assert.equal(isPending(), false);
    const before = drawn.nodes;
    elements.select(["step_0"]);
    assert.equal(drawn.nodes, before);
  });
});
