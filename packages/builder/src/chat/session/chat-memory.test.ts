import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatMemory } from "./chat-store.ts";

function storage(kept: Record<string, string> = {}) {
  return {
    kept,
    getItem: (key: string) => kept[key] ?? null,
    setItem(key: string, value: string) {
      kept[key] = value;
    },
  };
}

describe("what a tab keeps of a chat", () => {
  it("is the agent's own, and found again", () => {
    const own = storage();
    const question = {
      text: "Hi",
      attachments: [{ name: "a.png", mime: "image/png", preview: "data:image/png;base64,A" }],
    };
    createChatMemory(own, "one").write({ chatId: "c", running: { question, executionId: "r", after: "r:7" } });
    assert.equal(createChatMemory(own, "two").read(), undefined);
    assert.deepEqual(createChatMemory(own, "one").read(), {
      chatId: "c",
      running: {
        question: { text: "Hi", attachments: [{ name: "a.png", mime: "image/png" }] },
        executionId: "r",
        after: "r:7",
      },
    });
    createChatMemory(own, "one").write({ chatId: "d" });
    assert.deepEqual(createChatMemory(own, "one").read(), { chatId: "d" });
  });

  it("is nothing where it cannot be read or written", () => {
    for (const text of ["{", "null", "7", "{}", '{"chatId":7}']) {
      assert.equal(createChatMemory(storage({ "weft.chat.a": text }), "a").read(), undefined, text);
    }
    const full = {
      getItem: () => null,
      setItem() {
        throw new Error("QuotaExceededError");
      },
    };
    createChatMemory(full, "a").write({ chatId: "c" });
    assert.equal(createChatMemory(full, "a").read(), undefined);
  });
});
