import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { whyNotConnect } from "./connection-rules.ts";
import { testCatalogue, testEdge, testModel, testNode } from "./testing/test-flow.ts";

const model = testModel(
  [
    "start_0",
    "step_0",
    "step_1",
    testNode("choose_0", { label: "Decide", config: { branches: [{ id: "a" }] } }),
    testNode("each_0", { label: "For each" }),
    testNode("step_2", { parent: "each_0" }),
    testNode("step_3", { parent: "each_0" }),
    "note_0",
    "unheard-of_0",
  ],
  ["start_0>step_0", "step_0>step_1"],
);

const why = (connection: string) => whyNotConnect(model, testCatalogue, testEdge(connection));

describe("whyNotConnect", () => {
  it("lets steps of one level be connected, from any port that a step has", () => {
    for (const allowed of [
      "step_1>choose_0",
      "choose_0:a>step_1",
      "choose_0:else>step_1",
      "step_0:error>choose_0",
      "step_2>step_3",
      "start_0>step_1",
      "step_1>unheard-of_0",
    ]) {
      assert.equal(why(allowed), undefined, allowed);
    }
  });

  it("says why steps cannot be connected, and what to do instead", () => {
    const refused: Record<string, RegExp> = {
      "step_0>gone": /no longer exists/,
      "step_0>step_0": /to itself.*loop/,
      "step_0>start_0": /start step has no input/,
      "step_0>note_0": /Notes/,
      "note_0>step_0": /no longer has an output/,
      "choose_0:b>step_0": /Decide no longer has an output named “b”/,
      "start_0:error>step_0": /no longer has an output/,
      "step_0>step_2": /inside For each/,
      "step_3>step_0": /inside For each/,
      "start_0>step_0": /already/,
      "step_1>step_0": /earlier step.*loop/,
    };
    for (const [connection, reason] of Object.entries(refused)) assert.match(why(connection) ?? "", reason, connection);
  });
});
