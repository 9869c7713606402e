import assert from "node:assert/strict";
import { test } from "node:test";
import { searchToolName, storeAgentFlow } from "./use-in-agent.tsx";

test("the search of a store has a name that every model takes", () => {
  assert.equal(searchToolName("Handbuch für Käufer (2025)"), "search_handbuch_fur_kaufer_2025");
  assert.equal(searchToolName("手册"), "search_documents");
  assert.match(searchToolName("a".repeat(200)), /^[A-Za-z0-9_-]{64}$/);
});

test("the agent of a store searches it when the description fits", () => {
  const flow = JSON.parse(storeAgentFlow({ id: "1", name: "Handbook" }, "Refunds"));
  const knowledge = [{ storeId: "1", name: "search_handbook", description: "Refunds" }];
  assert.deepEqual(flow.nodes[1].config, { knowledge, citations: true });
});
