import assert from "node:assert/strict";
import { test } from "node:test";
import { compileFlow } from "@weft/engine";
import type { DocumentWrite } from "@weft/engine/ports/retriever";
import { nodeRegistry } from "./registry.ts";
import { chain, findingsOf, runFlow } from "./testing/run-flow.ts";

const node = (config: object) => ({ id: "store_0", type: "vector-store", label: "Notes", config });

test("writes the rendered text once, and says what came of it", async () => {
  const written: DocumentWrite[] = [];
  const documentWriter = {
    async write(write: DocumentWrite) {
      written.push(write);
      return { numAdded: 1, numUpdated: 0, numDeleted: 0, numSkipped: 2 };
    },
  };
  const config = { storeId: "s1", text: "Said: {{ question }}", source: "{{ $flow.chatId }}" };
  const run = await runFlow(chain(node(config)), { services: { documentWriter } });
  assert.deepEqual(
    written.map(({ storeId, text, metadata }) => ({ storeId, text, metadata })),
    [{ storeId: "s1", text: "Said: hello", metadata: { source: "chat-1" } }],
  );
  assert.deepEqual(run.outputOf("store_0"), { numAdded: 1, numUpdated: 0, numDeleted: 0, numSkipped: 2 });
  assert.equal(run.text, "Said: hello");
});

test("without a text a run writes nothing", async () => {
  const run = await runFlow(chain(node({ storeId: "s1" })));
  assert.equal(run.outcome, "completed");
  assert.deepEqual(run.outputOf("store_0"), { numAdded: 0, numUpdated: 0, numDeleted: 0, numSkipped: 0 });
});

test("a store that fails fails the run; without a store the flow cannot run", async () => {
  const run = await runFlow(chain(node({ storeId: "s1", text: "x" })));
  assert.equal(run.outcome, "failed");
  assert.deepEqual(
    findingsOf(node({})).map(({ code, path }) => [code, path]),
    [["store-missing", "storeId"]],
  );
});

test("takes uploads without an edge, unless it has a text to write", () => {
  const alone = (config: object) => {
    const flow = JSON.stringify({ ...JSON.parse(chain(node(config))), edges: [] });
    return compileFlow(flow, nodeRegistry).findings.map(({ code }) => code);
  };
  assert.deepEqual(alone({ storeId: "s1" }), []);
  assert.deepEqual(alone({ storeId: "s1", text: "x" }), ["node-unreachable"]);
});
