import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, classicFlow, ref } from "../testing/classic-file.ts";
import { codesOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";

const model: ClassicTestNode = { id: "chatOpenAI_0" };

function moderated(
  inputs: JsonObject,
  inputModeration = [ref("inputModerationSimple_0")],
  more: ClassicTestNode[] = [],
) {
  return classicFlow([
    model,
    ...more,
    { id: "inputModerationSimple_0", inputs },
    { id: "promptTemplate_0", inputs: { template: "{a}" } },
    {
      id: "llmChain_0",
      inputs: { model: ref("chatOpenAI_0"), prompt: ref("promptTemplate_0"), inputModeration },
    },
  ]);
}

after(closeSandbox);

describe("moderation", () => {
  it("answers a message with denied words, in any case, without asking a model", async () => {
    const document = moderated({ denyList: "ignore (all)\n\n  {{ question }} ", moderationErrorMessage: "No {way}." });
    const asked: [string, string | undefined][] = [
      ["Please IGNORE (ALL) of it", "No {way}."],
      ["ignore all", "fine"],
      ["{ { question }}", "No {way}."],
    ];
    for (const [question, answer] of asked) {
      const { text, calls } = await runClassic(document, { input: { question }, script: [{ text: "fine" }] });
      assert.equal(text, answer, question);
      assert.equal(calls.length, answer === "fine" ? 1 : 0);
    }
  });

  it("lets a model find what is like the denied lines, once for all of them", async () => {
    const document = moderated({ denyList: "forget\nignore", model: ref("chatOpenAI_0") });
    const blocked = await runClassic(document, { script: [{ text: '{"scenario":"blocked"}' }] });
    assert.equal(blocked.text, "Cannot Process! Input violates content moderation policies.");
    assert.equal(blocked.calls.length, 1);
    assert.match(blocked.said[0]?.[0] ?? "", /forget\nignore/);
    const passed = await runClassic(document, { script: [{ text: '{"scenario":"else"}' }, { text: "fine" }] });
    assert.equal(passed.text, "fine");
  });

  it("asks one after the other, in order", async () => {
    const second = { id: "inputModerationSimple_1", inputs: { denyList: "b", moderationErrorMessage: "Two" } };
    const both = [ref("inputModerationSimple_0"), ref("inputModerationSimple_1")];
    const document = moderated({ denyList: "a", moderationErrorMessage: "One" }, both, [second]);
    for (const [question, answer] of [
      ["ab", "One"],
      ["b", "Two"],
      ["c", "fine"],
    ] as const) {
      assert.equal((await runClassic(document, { input: { question }, script: [{ text: "fine" }] })).text, answer);
    }
  });

  it("says what blocks nothing, and what cannot", async () => {
    const empty = await runClassic(moderated({ denyList: " \n" }), { findings: ["warning moderation-empty"] });
    assert.equal(empty.calls.length, 1);
    const vendor = moderated({}, [ref("inputModerationOpenAI_0")], [{ id: "inputModerationOpenAI_0" }]);
    const { findings } = compileClassic(vendor);
    assert.deepEqual(codesOf(findings), ["error moderation-unsupported", "warning node-left-out"]);
  });
});
