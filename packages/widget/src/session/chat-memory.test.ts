import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { emptyAnswer } from "@weft/conversation";
import { type ChatNote, createChatMemory } from "./chat-memory.ts";
import type { Turn } from "./conversation.ts";

/** A storage that holds so many characters. */
function open(limit: number) {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > limit) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, value);
    },
  };
  return createChatMemory({ storage: () => storage, apiHost: "https://a.example", agentId: "1" });
}

const turn: Turn = {
  key: "k",
  question: "Ferns?",
  attachments: [],
  answer: {
    ...emptyAnswer,
    text: "Shade.",
    state: { type: "finished" },
    sources: [{ title: "Ferns", text: "x".repeat(2_000), facts: [] }],
  },
};
const note: ChatNote = {
  chatId: "c",
  turns: [turn],
  draft: "and",
  hasLead: true,
  request: { data: "y".repeat(4_000) },
};

describe("what the browser keeps of a chat", () => {
  it("is all of it, of which sources go first and then the request where there is no room", () => {
    const turns = [{ ...turn, answer: { ...turn.answer, sources: [] } }];
    const { request: __, ...rest } = note;
    for (const [limit, expected] of [
      [10_000, note],
      [5_000, { ...note, turns }],
      [1_000, { ...rest, turns }],
      [10, undefined],
    ] as const) {
      const memory = open(limit);
      memory.write(note);
      assert.deepEqual(memory.read(), expected, `${limit} characters`);
    }
  });

  it("is read where an earlier version of the page kept it", () => {
    const earlier = [
      { text: "Sha", state: { type: "writing", step: "Agent" }, lastFrameId: "r:1" },
      { text: "", state: { type: "failed", message: "No key.", isLost: false } },
      { text: "", state: { type: "failed", message: "", isLost: true } },
    ];
    const turns = earlier.map((answer) => ({ key: "k", question: "Ferns?", attachments: [], answer }));
    const getItem = () => JSON.stringify({ ...note, turns });
    const storage = { getItem, setItem: () => undefined };
    const memory = createChatMemory({ storage: () => storage, apiHost: "https://a.example", agentId: "1" });
    const answers = memory.read()?.turns.map(({ answer }) => answer);
    assert.deepEqual(answers, [
      { ...emptyAnswer, text: "Sha", state: { type: "writing", steps: {} }, lastFrameId: "r:1" },
      { ...emptyAnswer, state: { type: "failed", failure: { message: "No key." } } },
      { ...emptyAnswer, state: { type: "lost", failure: { message: "" } } },
    ]);
  });

  it("is nothing in a browser without storage", () => {
    const storage = () => {
      throw new DOMException("no", "SecurityError");
    };
    const memory = createChatMemory({ storage, apiHost: "https://a.example", agentId: "1" });
    memory.write(note);
    assert.equal(memory.read(), undefined);
  });
});
