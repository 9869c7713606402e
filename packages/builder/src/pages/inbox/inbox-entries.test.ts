import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { WaitingExecution } from "@weft/client";
import { type InboxEntry, leave, refreshEntries } from "./inbox-entries.ts";

/** A run that asked at that second, named by it. */
function runOf(second: number, waits: readonly string[] = ["w"]): WaitingExecution {
  const date = `2025-01-31T12:00:${String(second).padStart(2, "0")}.000Z`;
  const action = { mapping: { approve: "Proceed", reject: "Reject", toolCalls: [] }, elements: [] };
  return {
    id: `run-${second}`,
    agentflowId: "agent",
    agentflow: null,
    chatId: "chat",
    sessionId: "chat",
    startedBy: "visitor",
    question: "",
    questions: waits.map((id) => ({ text: "May I?", askedDate: date, action: { ...action, id } })),
    createdDate: date,
    updatedDate: date,
  };
}

const pageOf = (seconds: readonly number[], more: object = {}) => ({
  page: 1,
  data: seconds.map((second) => runOf(second)),
  total: seconds.length,
  ...more,
});
const keysOf = (entries: readonly InboxEntry[]) =>
  entries.map(({ run, left }) => `${run.id}${left === undefined ? "" : ` ${left.outcome.type}`}`);

describe("the entries of the inbox", () => {
  it("keep their places while new ones come, and say of those that are missing that they are gone", () => {
    const shown = refreshEntries([], pageOf([9, 8, 7]), 0);
    assert.deepEqual(keysOf(refreshEntries(shown, pageOf([10, 9, 7]), 1_000)), [
      "run-10",
      "run-9",
      "run-8 gone",
      "run-7",
    ]);
  });

  it("have one entry for each question of a run", () => {
    const both = refreshEntries([], { page: 1, data: [runOf(1, ["left", "right"])], total: 1 }, 0);
    assert.deepEqual(
      both.map(({ key }) => key),
      ["run-1 left", "run-1 right"],
    );
  });

  it("do not call gone what may have moved to another page", () => {
    const shown = refreshEntries([], pageOf([9, 8], { total: 5 }), 0);
    assert.deepEqual(keysOf(refreshEntries(shown, pageOf([10, 9], { total: 6 }), 0)), ["run-10", "run-9"]);
    const second = refreshEntries([], pageOf([4, 3], { page: 2, total: 4 }), 0);
    assert.deepEqual(keysOf(refreshEntries(second, pageOf([3], { page: 2, total: 3 }), 0)), ["run-3"]);
  });

  it("stay with their outcome where the list still has them or not", () => {
    const [first, ...others] = refreshEntries([], pageOf([9, 8]), 0);
    assert.ok(first);
    const shown = [leave(first, { type: "answered", label: "Proceed" }, 0), ...others];
    for (const fresh of [pageOf([9, 8]), pageOf([8])]) {
      assert.deepEqual(keysOf(refreshEntries(shown, fresh, 0)), ["run-9 answered", "run-8"]);
    }
  });
});
