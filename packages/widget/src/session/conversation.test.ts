import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { applyFrame, emptyAnswer } from "./conversation.ts";

const metadata = (followUpPrompts: unknown) =>
  applyFrame(emptyAnswer, { id: "1", event: "metadata", data: { chatMessageId: "m", followUpPrompts } });

describe("the messages that may follow an answer", () => {
  it("are read from JSON text, written once or twice", () => {
    const prompts = ["Why?", "How?"];
    const text = JSON.stringify(prompts);
    for (const written of [text, JSON.stringify(text), prompts]) assert.deepEqual(metadata(written).followUps, prompts);
  });

  it("are none where something else came; the answer is there", () => {
    for (const written of [undefined, "", "{oops", "[]", "7", '{"a":1}', "[1,null]", null]) {
      const answer = metadata(written);
      assert.equal(answer.followUps, undefined, String(written));
      assert.deepEqual([answer.state, answer.messageId], [{ type: "finished" }, "m"]);
    }
  });
});
