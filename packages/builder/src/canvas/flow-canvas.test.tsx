// @process browser: a document in place of globals of Node.
import "../testing/browser.ts";
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { FlowNode } from "@weft/schema";
import { ReactFlowProvider } from "@xyflow/react";
import { useRef } from "react";
import { renderApp } from "../testing/render-app.tsx";
import { CanvasContext, type CanvasSession, createCanvasSession, FlowCanvas, NodePalette } from "./index.ts";
import { testCatalogue, testModel, testNode } from "./model/testing/test-flow.ts";

const nothing = () => undefined;

function Canvas({ session }: { session: CanvasSession }) {
  const search = useRef<HTMLInputElement>(null);
  return (
    <CanvasContext value={session}>
      <ReactFlowProvider>
        <NodePalette searchRef={search} onClose={nothing} onAdded={nothing} onLeave={nothing} />
        <FlowCanvas
          onSearch={() => search.current?.focus()}
          onHelp={nothing}
          onEscape={() => false}
          minimap={false}
          onMinimap={nothing}
        />
      </ReactFlowProvider>
    </CanvasContext>
  );
}

/** The canvas with a flow; `nodes`, `edges` and so many ways back are what is drawn. */
async function openCanvas(t: TestContext, nodes: readonly FlowNode[], edges: readonly string[] = [], backCount = 0) {
  const session = createCanvasSession(testModel(nodes, edges), testCatalogue.types);
  const user = renderApp(t, <Canvas session={session} />);
  const idsOf = (kind: string) =>
    [...document.querySelectorAll<HTMLElement>(`.react-flow__${kind}`)].map(({ dataset }) => dataset.id ?? "");
  const shows = (expected: string[], edgeCount: number) =>
    waitFor(() => {
      assert.deepEqual(idsOf("node").toSorted(), expected.toSorted());
      assert.equal(idsOf("edge").length, edgeCount);
    });
  await shows(
    nodes.map(({ id }) => id),
    edges.length + backCount,
  );
  const find = (selector: string) => {
    const found = document.querySelector<HTMLElement>(selector);
    assert.ok(found, selector);
    return found;
  };
  const nodeOf = (id: string) => find(`.react-flow__node[data-id="${id}"]`);
  return {
    user,
    shows,
    nodeOf,
    /** Pulls a connection from a step's first output, and releases it over another step. */
    async pull(source: string, target: string) {
      await user.hover(find(`.react-flow__node[data-id="${source}"] .card`));
      fireEvent.mouseDown(find(`.react-flow__handle.source[data-nodeid="${source}"]`), { clientX: 10, clientY: 10 });
      // Nothing is laid out, so the test says what lies below the pointer.
      t.mock.method(document, "elementFromPoint", () => nodeOf(target));
      fireEvent.mouseMove(document, { clientX: 60, clientY: 60 });
      fireEvent.mouseUp(document, { clientX: 60, clientY: 60 });
    },
  };
}

const start = testNode("start", { position: { x: 0, y: 0 } });
const first = testNode("step_0", { position: { x: 344, y: 0 } });
const second = testNode("step_1", { position: { x: 688, y: 0 } });

describe("the canvas", () => {
  it("adds the step that is chosen from the list, or found by its name", async (t) => {
    const { user, shows } = await openCanvas(t, [start]);
    await user.click(screen.getByRole("button", { name: /^Step/ }));
    await shows(["start", "step_0"], 0);
    await user.type(screen.getByRole("textbox", { name: "Search steps" }), "takes a branch{Enter}");
    // It follows the one that is selected.
    await shows(["start", "step_0", "choose_0"], 1);
  });

  it("connects what may be connected, and says why it refuses the rest", async (t) => {
    const inside = testNode("step_2", { parent: "each_0", position: { x: 24, y: 80 } });
    const each = testNode("each_0", { position: { x: 344, y: 200 } });
    const { shows, pull } = await openCanvas(t, [start, first, each, inside]);
    const ids = ["start", "step_0", "each_0", "step_2"];
    const said = (text: RegExp) =>
      waitFor(() =>
        assert.match(
          screen
            .getAllByRole("status")
            .map((it) => it.textContent)
            .join(),
          text,
        ),
      );
    await pull("start", "step_0");
    await shows(ids, 1);
    await pull("step_0", "step_2");
    await said(/each_0/);
    await pull("step_0", "each_0");
    await shows(ids, 2);
    await pull("each_0", "step_0");
    await said(/loop step/);
    await shows(ids, 2);
  });

  it("connects by keyboard to a new step", async (t) => {
    const { user, shows, nodeOf } = await openCanvas(t, [start, first, second], ["start>step_0", "step_0>step_1"]);
    const ids = ["start", "step_0", "step_1"];
    await user.click(nodeOf("step_0"));
    await user.keyboard("c");
    const picker = within(await screen.findByRole("dialog"));
    await user.click(await picker.findByRole("option", { name: /Choose/ }));
    await shows([...ids, "choose_0"], 3);
  });

  it("names the branch of a connection where its output is far away, and always in its accessible name", async (t) => {
    const long = "The customer asks where a parcel is that was sent a week ago";
    const config = { branches: [{ id: "a", title: long }, { id: "b" }, { id: "c" }] };
    const choose = testNode("choose_0", { position: { x: 344, y: 0 }, config });
    const back = testNode("loop_0", { position: { x: 1_400, y: 0 }, config: { target: "choose_0" } });
    const far = testNode("step_1", { label: "Far", position: { x: 1_040, y: 0 } });
    await openCanvas(
      t,
      [start, choose, testNode("step_0", { position: { x: 688, y: 40 } }), far, back],
      ["start>choose_0", "choose_0:b>step_0", "choose_0:a>step_1", "choose_0:c>step_1", "step_1:error>loop_0"],
      1,
    );
    const labels = [...document.querySelectorAll(".react-flow__edges text")];
    assert.deepEqual(
      labels.map((label) => [label.querySelector("title")?.textContent, label.lastChild?.textContent]),
      [
        // Both lead there, on lines that lie on each other.
        [`${long} / Branch 3`, "The customer asks where a parce…"],
        ["On error", "On error"],
        ["Back to choose_0", "Back to choose_0"],
      ],
    );
    const names = [...document.querySelectorAll(".react-flow__edge")].map((edge) => edge.getAttribute("aria-label"));
    assert.deepEqual(names, [
      "Connection from start to choose_0",
      "Connection from choose_0 to step_0: Branch 2",
      `Connection from choose_0 to Far: ${long}`,
      "Connection from choose_0 to Far: Branch 3",
      "Connection from Far to loop_0: On error",
      "Back to choose_0",
    ]);
  });

  it("leaves out a branch's name where little of it would be left to read", async (t) => {
    const config = {
      branches: [
        { id: "a", title: "The customer wants money back" },
        { id: "b", title: "Parcels" },
      ],
    };
    const choose = testNode("choose_0", { position: { x: 344, y: 0 }, config });
    const above = testNode("step_0", { position: { x: 688, y: -240 } });
    const below = testNode("step_1", { position: { x: 688, y: 320 } });
    await openCanvas(t, [start, choose, above, below], ["start>choose_0", "choose_0:a>step_0", "choose_0:b>step_1"]);
    const labels = [...document.querySelectorAll(".react-flow__edges text title")];
    assert.deepEqual(
      labels.map((label) => label.textContent),
      ["Parcels"],
    );
  });

  it("undoes and redoes", async (t) => {
    const { user, shows, nodeOf } = await openCanvas(t, [start, first], ["start>step_0"]);
    await user.click(nodeOf("step_0"));
    await user.keyboard("{Control>}d{/Control}");
    await shows(["start", "step_0", "step_1"], 1);
    await user.keyboard("{Control>}z{/Control}");
    await shows(["start", "step_0"], 1);
    await user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
    await shows(["start", "step_0", "step_1"], 1);
  });

  it("deletes a step with its connections, and nothing while one types", async (t) => {
    const { user, shows, nodeOf } = await openCanvas(t, [start, first, second], ["start>step_0", "step_0>step_1"]);
    await user.click(nodeOf("step_0"));
    await user.type(screen.getByRole("textbox", { name: "Search steps" }), "x{Delete}{Backspace}");
    await shows(["start", "step_0", "step_1"], 2);
    nodeOf("step_0").focus();
    await user.keyboard("{Delete}");
    await shows(["start", "step_1"], 0);
    await user.keyboard("{Control>}z{/Control}");
    await shows(["start", "step_0", "step_1"], 2);
  });

  it("moves, selects and finds by keyboard", async (t) => {
    const { user, shows, nodeOf } = await openCanvas(t, [start, first], ["start>step_0"]);
    const selected = () => document.querySelectorAll(".react-flow__node.selected").length;
    await user.click(nodeOf("step_0"));
    nodeOf("step_0").focus();
    await user.keyboard("{ArrowRight}");
    await waitFor(() => assert.match(nodeOf("step_0").style.transform, /translate\(352px,\s?0px\)/));
    await user.keyboard("{Escape}");
    await waitFor(() => assert.equal(selected(), 0));
    await user.keyboard("{Control>}a{/Control}");
    await waitFor(() => assert.equal(selected(), 2));
    await user.keyboard("/");
    assert.ok(document.activeElement === screen.getByRole("textbox", { name: "Search steps" }));
    await shows(["start", "step_0"], 1);
  });
});
