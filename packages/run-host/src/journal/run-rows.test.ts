import assert from "node:assert/strict";
import { test } from "node:test";
import { emptySummary, parseSummary, type RunSummary, summaryText } from "./run-rows.ts";

const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };
const plain: RunSummary = { ...emptySummary, question: "Why?", text: "Because.", usage };
const whole: RunSummary = {
  ...plain,
  error: { code: "flow-limit", message: "Too long.", retryable: false },
  action: { id: "wait-1", mapping: { approve: "Yes", reject: "No", toolCalls: [] }, elements: [] },
  signals: ["shipped"],
};

test("a summary reads as it was written, and what most runs have not is not written", () => {
  for (const summary of [emptySummary, plain, whole]) assert.deepEqual(parseSummary(summaryText(summary)), summary);
  assert.deepEqual(Object.keys(JSON.parse(summaryText(plain))), ["question", "text", "usage"]);
});

test("a summary from before, which names everything, reads as before", () => {
  for (const summary of [emptySummary, plain, whole]) assert.deepEqual(parseSummary(JSON.stringify(summary)), summary);
  assert.deepEqual(parseSummary(null), emptySummary);
});
