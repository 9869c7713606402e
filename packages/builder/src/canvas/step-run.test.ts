import assert from "node:assert/strict";
import { it } from "node:test";
import type { ExecutionStep } from "@weft/client";
import { toStepRuns } from "./step-run.ts";

const step = (more: Partial<ExecutionStep>): ExecutionStep => ({
  nodeKey: "llm_0#0",
  nodeId: "llm_0",
  nodeLabel: "LLM",
  type: "llm",
  status: "FINISHED",
  attempt: 1,
  startedAt: "2025-01-31T12:00:00.000Z",
  finishedAt: "2025-01-31T12:00:01.000Z",
  durationMs: 1_000,
  input: null,
  output: { content: "Hi" },
  error: null,
  usage: { inputTokens: 4, outputTokens: 2, totalTokens: 6 },
  costDollars: 0.001,
  waits: [],
  effects: [],
  ...more,
});

it("a step that ran twice adds up, and shows its last values", () => {
  const error = { code: "node-failed", message: "The service answered 500.", retryable: false };
  const steps = [
    step({}),
    step({ nodeKey: "llm_0#1", durationMs: 500, status: "ERROR", output: null, error, input: "Again" }),
    step({ nodeKey: "http_0#0", nodeId: "http_0", costDollars: null, durationMs: null, status: "INPROGRESS" }),
  ];
  const runs = toStepRuns({ id: "run", steps, replayedFrom: null });
  assert.deepEqual(runs.get("llm_0"), {
    executionId: "run",
    nodeKey: "llm_0#1",
    isTrial: false,
    status: "ERROR",
    passes: 2,
    durationMs: 1_500,
    tokens: 12,
    costDollars: 0.002,
    input: "Again",
    output: null,
    error: "The service answered 500.",
  });
  assert.equal(runs.get("http_0")?.durationMs, 0);
  assert.equal(runs.get("http_0")?.costDollars, null);
  assert.equal(runs.get("gone"), undefined);
});
