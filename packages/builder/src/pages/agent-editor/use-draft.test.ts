// @process browser: a document in place of globals of Node.
import "../../testing/browser.ts";
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { WeftApiError } from "@weft/client";
import type { FlowDocument } from "@weft/schema";
import { labelNode } from "../../canvas/model/edits.ts";
import { testModel } from "../../canvas/model/testing/test-flow.ts";
import { createFlowPins } from "../../canvas/pins.ts";
import { createFlowEditor } from "../../canvas/session/flow-editor.ts";
import { createDraft } from "./use-draft.ts";

/** Lets what was promised happen, whatever it is promised by. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** A draft of one step beside a server that remembers what it was sent; `refuse` makes it fail the next time. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const editor = createFlowEditor(testModel(["step_0"]));
  const pins = createFlowPins({});
  const saves: { pins?: unknown; label: string | undefined; ifMatch: string | undefined }[] = [];
  let refusal: unknown;
  const draft = createDraft({
    agentId: "agent",
    etag: '"0"',
    editor,
    pins,
    client: {
      async saveAgentDraft(_params, { flowData = "", pins: pinned }, options = {}) {
        const thrown = refusal;
        refusal = undefined;
        if (thrown) throw thrown;
        const [node] = (JSON.parse(flowData) as FlowDocument).nodes;
        saves.push({ label: node?.label, ifMatch: options.ifMatch, ...(pinned && { pins: pinned }) });
        options.onResponse?.(new Response("", { headers: { etag: `"${saves.length}"` } }));
        return { isDraft: true, flowData, pins: {}, savedBy: "", updatedDate: "" };
      },
      // As after publishing: the draft is gone, and what it pinned.
      getAgentDraft: async () => ({ isDraft: false, flowData: "{}", pins: {}, savedBy: "", updatedDate: "" }),
    },
  });
  t.after(draft.watch());
  return {
    draft,
    pins,
    saves,
    refuse: (error: unknown) => {
      refusal = error;
    },
    label: (label: string) => editor.edit(labelNode(editor.state().model, "step_0", label)),
    async pass(ms: number) {
      t.mock.timers.tick(ms);
      await settle();
    },
  };
}

const refused = (status: number) => new WeftApiError(new Response("", { status }), "{}");

describe("a draft", () => {
  it("is saved once nothing has changed for a moment, each time by the tag of the time before", async (t) => {
    const { draft, saves, label, pass } = open(t);
    label("a");
    await pass(700);
    label("b");
    assert.equal(draft.state().kind, "waiting");
    await pass(700);
    assert.deepEqual(saves, []);
    await pass(100);
    assert.equal(draft.state().kind, "saved");
    label("c");
    await pass(800);
    assert.deepEqual(saves, [
      { label: "b", ifMatch: '"0"' },
      { label: "c", ifMatch: '"1"' },
    ]);
  });

  it("is saved at once where somebody needs it, and once", async (t) => {
    const { draft, saves, label, pass } = open(t);
    label("b");
    assert.equal(await draft.flush(), true);
    assert.equal(saves.length, 1);
    assert.equal(await draft.flush(), true);
    await pass(2_000);
    assert.equal(saves.length, 1);
  });

  it("is tried again after a failure, and says what failed meanwhile", async (t) => {
    const { draft, saves, label, refuse, pass } = open(t);
    refuse(new TypeError("fetch failed"));
    label("a");
    await pass(800);
    const state = draft.state();
    assert.match(state.kind === "failed" ? state.problem : "", /Cannot reach the server/);
    await pass(3_000);
    assert.equal(draft.state().kind, "saved");
    assert.equal(saves.length, 1);
  });

  it("is not tried again where it was refused, but with the next change", async (t) => {
    const { draft, saves, label, refuse, pass } = open(t);
    refuse(refused(422));
    label("a");
    await pass(800);
    assert.equal(draft.state().kind, "failed");
    await pass(60_000);
    assert.deepEqual(saves, []);
    label("b");
    await pass(800);
    assert.deepEqual([draft.state().kind, saves.length], ["saved", 1]);
  });

  it("waits for a choice where somebody else saved it, and then saves over theirs", async (t) => {
    const { draft, saves, label, refuse, pass } = open(t);
    refuse(refused(412));
    label("a");
    await pass(800);
    assert.equal(draft.state().kind, "changed");
    label("b");
    await pass(10_000);
    assert.equal(await draft.flush(), false);
    assert.deepEqual(saves, []);
    assert.equal(await draft.overwrite(), true);
    assert.deepEqual(saves, [{ label: "b", ifMatch: undefined }]);
    assert.equal(draft.state().kind, "saved");
  });

  it("keeps pinned outputs with the flow, also after it was published", async (t) => {
    const { draft, saves, pins, label, pass } = open(t);
    const pin = { output: "given" };
    pins.set("step_0", pin);
    await pass(800);
    assert.deepEqual(saves, [{ label: "step_0", ifMatch: '"0"', pins: { step_0: pin } }]);
    label("a");
    await pass(800);
    assert.deepEqual(saves.at(-1), { label: "a", ifMatch: '"1"' });
    await draft.refresh();
    await pass(800);
    assert.deepEqual(saves.at(-1), { label: "a", ifMatch: '"2"', pins: { step_0: pin } });
    pins.set("step_0", undefined);
    await pass(800);
    assert.deepEqual(saves.at(-1)?.pins, {});
    await draft.refresh();
    await pass(800);
    assert.equal(saves.length, 4);
  });
});
