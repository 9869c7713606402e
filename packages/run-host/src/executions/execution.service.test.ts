import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompiledFlow } from "@weft/engine";
import { everything } from "@weft/http/reach";
import type { RunEventBody } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createRun, journal } from "../host/testing/store-runs.ts";
import { createRunStore, createRunTailStore } from "../journal/index.ts";
import { createExecutionService } from "./execution.service.ts";

const flow = { graph: { nodes: new Map(), levels: new Map() }, flow: { edges: [] } } as unknown as CompiledFlow;

/** Steps of a run, each with events between them that a list does not show. */
function stepsOf(count: number): RunEventBody[] {
  return Array.from({ length: count }, (_, index): RunEventBody[] => [
    { type: "node-started", nodeKey: `n#${index}`, nodeId: "n", attempt: 1 },
    { type: "node-completed", nodeKey: `n#${index}`, nodeId: "n", output: { index } },
  ]).flat();
}

await forEachDatabase(({ openTestDatabase }) => {
  test("a page has the steps of each run, however long the runs are, and those that its rows know of", async (t) => {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    const lengths = [3, 400, 0, 20, 251, 1];
    const runs: { id: string; length: number }[] = [];
    for (const length of lengths) {
      const run = await createRun(store);
      const events = journal(2, ...stepsOf(length));
      for (let from = 0; from < events.length; from += 60) {
        await store.append({ runId: run.id, epoch: 1, events: events.slice(from, from + 60) });
      }
      runs.push({ id: run.id, length });
    }
    const service = createExecutionService({
      read: database.read,
      store: { ...store, ...createRunTailStore(database.read) },
      flowOfRun: async () => flow,
      conceal: (shown) => shown,
    });
    const query = { reach: everything, page: 1, limit: 50 };
    const { data } = await service.list(query, { withData: true });
    assert.equal(data.length, lengths.length);
    for (const { id, length } of runs) {
      const row = data.find((one) => one.id === id);
      const steps = JSON.parse(row?.executionData ?? "") as { data: { output: { index: number } } }[];
      assert.deepEqual(
        steps.map((step) => step.data.output.index),
        Array.from({ length }, (_, index) => index),
      );
    }
    const lastSeq = { lastSeq: 5 };
    await database.write((tx) =>
      tx
        .updateTable("runs")
        .set(lastSeq)
        .where("id", "=", runs[0]?.id ?? "")
        .execute(),
    );
    const cut = (await service.list(query, { withData: true })).data.find(({ id }) => id === runs[0]?.id);
    assert.equal((JSON.parse(cut?.executionData ?? "") as unknown[]).length, 2, "what came after the row is left out");
    assert.deepEqual((await service.list({ ...query, page: 2 }, { withData: true })).data, []);
  });
});
