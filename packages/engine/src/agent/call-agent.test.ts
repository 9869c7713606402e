import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChildRunRequest } from "../ports/child-runs.ts";
import { completed, createTestProcess, noServices, testFlow } from "../testing/test-process.ts";
import { callAgent, maxFlowDepth } from "./tool-context.ts";

/** Runs a node that calls an agent, as a run of that depth. */
async function callAt(depth: number) {
  const requests: ChildRunRequest[] = [];
  const run = async (request: ChildRunRequest) => {
    requests.push(request);
    return { text: "child", runId: "run-2" };
  };
  const call = { agentId: "agent-2", question: "why?", overrideConfig: {} };
  const process = createTestProcess({
    flow: testFlow("start>a"),
    behaviours: {
      a: async (context) =>
        completed(
          await context.effect(
            { key: "flow", kind: "idempotent", category: "flow", name: "agent-2", input: null },
            async (info) => ({ ...(await callAgent(context, call, info)) }),
          ),
        ),
    },
    deps: { services: { ...noServices, childRuns: { run } } },
  });
  const { started } = createTestProcess({ flow: testFlow("start>a") }).start().state;
  assert.ok(started);
  const outcome = await process.start({ begin: { ...started, depth } }).done;
  return { outcome, requests, end: process.events().at(-1) };
}

describe("callAgent", () => {
  it("asks for a run one deeper, under the key of its effect", async () => {
    const { outcome, requests } = await callAt(0);
    assert.equal(outcome, "completed");
    const [request] = requests;
    assert.deepEqual(
      [request?.agentId, request?.question, request?.depth, request?.idempotencyKey, request?.parent.runId],
      ["agent-2", "why?", 1, "run-1/a#0:flow", "run-1"],
    );
    assert.equal((await callAt(maxFlowDepth - 1)).outcome, "completed");
  });

  it("refuses to go deeper than flows may", async () => {
    const { outcome, requests, end } = await callAt(maxFlowDepth);
    assert.equal(outcome, "failed");
    assert.deepEqual(requests, []);
    assert.equal(end?.type === "run-failed" && end.error.code, "flow-limit");
    assert.match(end?.type === "run-failed" ? end.error.message : "", /more than 5 deep/);
  });
});
