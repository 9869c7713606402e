import assert from "node:assert/strict";
import { it } from "node:test";
import type { Json, PredictionFrame } from "@weft/client";
import { createNodeRuns } from "./answer-reader.ts";

const node = (nodeId: string, status: string): PredictionFrame => ({
  id: "r:1",
  event: "nextAgentFlow",
  data: { nodeId, nodeLabel: nodeId, status },
});

it("nodes light up as the stream says, and none goes on when it ends", () => {
  const told: string[] = [];
  const take = createNodeRuns((nodeId, state) => told.push(`${nodeId} ${state}`));
  const frames = [node("a", "INPROGRESS"), node("a", "FINISHED"), node("b", "INPROGRESS"), node("c", "INPROGRESS")];
  for (const frame of [...frames, node("c", "STOPPED"), node("d", "INPROGRESS"), node("d", "ERROR")]) take(frame);
  take({ id: "r:2", event: "token", data: "x" });
  take(node("e", "SLEEPING"));
  take({ id: "r:3", event: "end", data: "[DONE]" });
  const states = [
    "a running",
    "a finished",
    "b running",
    "c running",
    "c waiting",
    "d running",
    "d failed",
    "b stopped",
  ];
  assert.deepEqual(told, states);
});

it("a step that a person rejected has no tick", () => {
  const told: string[] = [];
  const take = createNodeRuns((nodeId, state) => told.push(`${nodeId} ${state}`));
  const status = "FINISHED" as const;
  const executed = (nodeId: string, output: Json) => {
    const data = { id: nodeId, name: "x", output };
    return { nodeId, nodeLabel: nodeId, data, previousNodeIds: [], status };
  };
  const outputs = [executed("a", { decision: "reject" }), executed("b", { decision: "proceed" }), executed("c", null)];
  take({ id: "r:1", event: "agentFlowExecutedData", data: outputs });
  assert.deepEqual(told, ["a rejected"]);
});
