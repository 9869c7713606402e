import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ForeignTestNode, foreignFlow, startNode } from "../testing/foreign-file.ts";
import { convertAgentFlowV2 } from "./convert-agentflow-v2.ts";

const conditions = [{ type: "string", value1: "a", operation: "equal", value2: "b" }];

/** Codes and nodes of the findings of a flow; `r…` are replies, `c…` conditions, `l…` loops. */
function differencesOf(...edges: string[]) {
  const ids = new Set(edges.flatMap((edge) => edge.split(/>|:\d/)).filter((id) => id !== "" && id !== startNode.id));
  const nodes = [...ids].map((id): ForeignTestNode => {
    if (id.startsWith("c")) return { id, data: { name: "conditionAgentflow" }, inputs: { conditions } };
    if (id.startsWith("l")) return { id, data: { name: "loopAgentflow" }, inputs: { loopBackToNode: "r1" } };
    return { id, data: { name: "directReplyAgentflow" } };
  });
  const { findings } = convertAgentFlowV2(foreignFlow([startNode, ...nodes], edges));
  return findings.map(({ code, nodeId, level }) => `${level} ${code} ${nodeId}`);
}

describe("findDifferences", () => {
  it("tells of joins that waited for branches that are not taken", () => {
    const start = startNode.id;
    assert.deepEqual(differencesOf(`${start}>c1`, "c1:0>r1", "c1:1>r2", "r1>r3", "r2>r3"), []);
    assert.deepEqual(differencesOf(`${start}>r1`, `${start}>r2`, "r1>r3", "r2>r3"), []);
    assert.deepEqual(differencesOf(`${start}>c1`, `${start}>r1`, "c1:0>r2", "r1>r3", "r2>r3"), [
      "warning join-waits-less r3",
    ]);
    const two = [`${start}>c1`, `${start}>c2`, "c1:0>r1", "c2:0>r1", "c1:1>r1", "c2:1>r1"];
    assert.deepEqual(differencesOf(...two), ["warning join-waits-less r1"]);
  });

  it("tells of branches that answer beside each other", () => {
    const start = startNode.id;
    assert.deepEqual(differencesOf(`${start}>r1`, `${start}>r2`), [`warning parallel-answers ${start}`]);
    assert.deepEqual(differencesOf(`${start}>c1`, "c1:0>r1", "c1:0>r2"), ["warning parallel-answers c1"]);
    assert.deepEqual(differencesOf(`${start}>c1`, "c1:0>r1", "c1:1>r2"), []);
    assert.deepEqual(differencesOf(`${start}>r1`, `${start}>r2`, "r1>r3", "r2>r3", "r3>r4"), []);
  });

  it("survives edges that lead round", () => {
    assert.deepEqual(differencesOf("r1>r2", "r2>r1", "r2>l1"), []);
  });
});
