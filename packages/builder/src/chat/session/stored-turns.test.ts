import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatMessage } from "@weft/client";
import { toChatList, toTurns, withAnswer, withoutAction } from "./conversation.ts";

const message = (
  id: string,
  role: ChatMessage["role"],
  content: string,
  more: Partial<ChatMessage> = {},
): ChatMessage => ({
  id,
  role,
  content,
  chatflowid: "agent",
  chatId: "chat",
  sessionId: "chat",
  chatType: "INTERNAL",
  memoryType: "",
  leadEmail: "",
  executionId: "",
  createdDate: "2026-01-01T00:00:00.000Z",
  sourceDocuments: [],
  usedTools: [],
  fileAnnotations: [],
  agentReasoning: [],
  fileUploads: [],
  action: [],
  ...more,
});
const user = (id: string, content: string, more = {}) => message(id, "userMessage", content, more);
const api = (id: string, content: string, more = {}) => message(id, "apiMessage", content, more);
const none = { executions: [], rated: [] };
const error = { code: "model-timeout", message: "The model took too long.", retryable: true };

describe("a stored chat", () => {
  it("is questions with their answers, files, tools and feedback", () => {
    const usedTools = [{ tool: "look", toolInput: {}, toolOutput: "found" }];
    const fileUploads = [{ data: "", type: "stored-file", name: "a.png", mime: "image/png" }];
    const feedback = {
      id: "f",
      chatflowid: "agent",
      chatId: "chat",
      messageId: "2",
      rating: "THUMBS_UP" as const,
      content: "Nice",
      createdDate: "",
    };
    const messages = [
      user("1", "Hi", { fileUploads }),
      api("2", "Hello", { usedTools, executionId: "r" }),
      user("3", "And?"),
    ];
    const rated = [api("2", "Hello", { feedback })];
    const executions = [{ id: "r", state: "FINISHED" as const, error: null }];
    const [first, second] = toTurns(messages, { executions, rated });
    assert.deepEqual(first?.question, { text: "Hi", attachments: [{ name: "a.png", mime: "image/png" }] });
    assert.deepEqual(first?.answer.toolCalls, [{ tool: "look", input: {}, status: "finished", output: "found" }]);
    assert.deepEqual(first?.answer.rating, { rating: "THUMBS_UP", content: "Nice" });
    assert.deepEqual([first?.answer.messageId, first?.answer.executionId], ["2", "r"]);
    assert.deepEqual(second?.answer.state, { type: "stopped" });
  });

  it("shows how each run ended", () => {
    const action = { id: "w", mapping: { approve: "Yes", reject: "No", toolCalls: [] }, elements: [] };
    const states = (state: "ERROR" | "TIMEOUT" | "TERMINATED" | "STOPPED", more: Partial<ChatMessage> = {}) => {
      const executions = [{ id: "r", state, error: state === "ERROR" ? error : null }];
      const [turn] = toTurns([user("1", "Hi"), api("2", "said", { executionId: "r", ...more })], {
        executions,
        rated: [],
      });
      return turn?.answer;
    };
    assert.deepEqual(states("ERROR")?.state, { type: "failed", failure: { message: error.message } });
    assert.equal(states("ERROR")?.text, "");
    assert.deepEqual(states("TIMEOUT")?.state, { type: "failed", failure: { message: "said" } });
    assert.deepEqual(states("TERMINATED")?.state, { type: "stopped" });
    assert.deepEqual(states("STOPPED", { action: [action] })?.state, { type: "waiting", action });
    assert.equal(toTurns([api("2", "said", { executionId: "gone" })], none)[0]?.answer.state.type, "finished");
  });

  it("puts the answer of a retry in the place of the failure", () => {
    const messages = [
      user("1", "Hi"),
      api("2", error.message, { executionId: "a" }),
      api("3", "Hello", { executionId: "b" }),
    ];
    const executions = [
      { id: "b", state: "FINISHED" as const, error: null },
      { id: "a", state: "ERROR" as const, error },
    ];
    const turns = toTurns(messages, { executions, rated: [] });
    assert.deepEqual(
      turns.map(({ question, answer }) => [question.text, answer.text, answer.messageId]),
      [["Hi", "Hello", "3"]],
    );
  });

  it("shows a message once, also when its run is read while it is stored", () => {
    const turns = [...toTurns([user("1", "Hi"), api("2", "Hello")], none), ...toTurns([user("live", "Hi")], none)];
    const read = withAnswer({ chatId: "chat", turns }, "live", (answer) => ({ ...answer, messageId: "2" }));
    assert.deepEqual(
      read.turns.map(({ key }) => key),
      ["live"],
    );
  });

  it("asks nothing any more once it is answered", () => {
    const action = { id: "w", mapping: { approve: "Yes", reject: "No", toolCalls: [] }, elements: [] };
    const turns = toTurns([user("1", "Hi"), api("2", "May I?", { action: [action] })], none);
    const state = (id: string) => withoutAction({ chatId: "chat", turns }, id).turns[0]?.answer.state.type;
    assert.deepEqual([state("other"), state("w")], ["waiting", "finished"]);
  });
});

it("the history of an agent is its chats, the newest first, by what was said first", () => {
  const at = (chatId: string, id: string, role: ChatMessage["role"], content: string) =>
    message(id, role, content, { chatId, createdDate: `2026-01-01T00:00:0${id}.000Z` });
  const newestFirst = [
    at("b", "5", "apiMessage", "B2"),
    at("a", "4", "userMessage", "A3"),
    at("b", "3", "userMessage", " "),
    at("a", "2", "apiMessage", "A2"),
    at("a", "1", "userMessage", "A1"),
  ];
  assert.deepEqual(toChatList(newestFirst), [
    { chatId: "b", title: "", updatedDate: "2026-01-01T00:00:05.000Z", messageCount: 2 },
    { chatId: "a", title: "A1", updatedDate: "2026-01-01T00:00:04.000Z", messageCount: 3 },
  ]);
  assert.deepEqual(toChatList([]), []);
});
