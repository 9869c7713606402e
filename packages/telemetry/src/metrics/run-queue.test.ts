import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Database } from "@weft/database";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from "kysely";
import { onTestDatabase, openTestStorage } from "../../../database/src/testing/test-databases.ts";
import { scriptedModelEnv } from "../../../server/src/testing/scripted-model.ts";
import { agentWith, llmFlow, openRestartable } from "../../../server/src/testing/test-platform.ts";
import { readQueue, readTakeOvers } from "../system/system-facts.ts";
import { scrape } from "../testing/scrape.ts";
import { readOpenRuns } from "./database-metrics.ts";

await onTestDatabase((databases) => {
  test("runs in the queue are counted, leases are renewed, and another process takes over", async (t) => {
    const model = await createScriptedOpenAiServer({ script: () => ({ hang: true }) });
    t.after(() => model.close());
    const server = await openRestartable(t, databases, {
      ...scriptedModelEnv(model),
      MAX_CONCURRENT_RUNS: "1",
      RUN_LEASE_MS: "400",
    });
    const platform = await server.open();
    const agent = await agentWith(platform, llmFlow());
    const asked = [1, 2].map((number) =>
      platform.send("POST", `/prediction/${agent}`, { question: `Question ${number}` }).catch(() => undefined),
    );
    const { samples } = await platform.until(async () => {
      const seen = await scrape(platform);
      const isRenewed = (seen.samples.get("weft_lease_renewals_total") ?? 0) > 0;
      const isOld = (seen.samples.get("weft_runs_oldest_waiting_seconds") ?? 0) > 1;
      return isRenewed && isOld && seen.samples.get("weft_runs_running") === 2 ? seen : undefined;
    });
    assert.equal(samples.get("weft_runs_waiting"), 1);
    assert.equal(samples.get("weft_runs_active"), 2);
    assert.equal(samples.get("weft_run_take_overs_total"), 0);
    await server.close();
    await Promise.all(asked);

    const next = await server.open();
    // On PostgreSQL a process that stops leaves its runs ready for any other one, which takes what it has room for.
    const [takenOver, active] = databases.name === "sqlite" ? [2, 2] : [0, 1];
    const later = await next.until(async () => {
      const seen = await scrape(next);
      return seen.samples.get("weft_runs_active") === active ? seen : undefined;
    });
    assert.equal(later.samples.get("weft_run_take_overs_total"), takenOver);
    assert.equal(later.samples.get("weft_runs_waiting"), 1);
    assert.equal(later.samples.get(`weft_runs_started_total{agent="${agent}"}`), undefined);
  });
});

/** How SQLite answers the queries that are asked of an empty database. */
async function planOf(t: TestContext, ask: (read: Database["read"]) => Promise<void>): Promise<string> {
  const database = await (await openTestStorage("sqlite", t)).open();
  t.after(() => database.close());
  const asked: RootOperationNode[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      asked.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await ask(database.read.withPlugin(plugin));
  const plans: string[] = [];
  for (const node of asked) {
    const { sql, parameters } = database.read.getExecutor().compileQuery(node, createQueryId());
    const { rows } = await database.read.executeQuery(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]));
    plans.push(rows.map((row) => (row as { detail: string }).detail).join("\n"));
  }
  return plans.join("\n");
}

test("SQLite finds waiting runs by the index of running ones", async (t) => {
  const plan = await planOf(t, async (read) => {
    assert.deepEqual(await readOpenRuns(read, 0), { running: 0, waiting: 0, oldestSeconds: 0 });
  });
  assert.match(plan, /SCAN runs USING INDEX runsRunning/);
  assert.doesNotMatch(plan, /TEMP B-TREE/);
});

test("SQLite finds what the page System shows by indexes of few runs", async (t) => {
  const plan = await planOf(t, async (read) => {
    await readQueue(read, 0);
    await readTakeOvers(read, 0);
  });
  const used = [...new Set(plan.match(/(?:SCAN|SEARCH) runs\b[^(\n]*/g))].map((step) => step.trim());
  assert.deepEqual(used, [
    "SCAN runs USING INDEX runsRunning",
    "SEARCH runs USING COVERING INDEX runsByStatus",
    "SEARCH runs USING INDEX runsTakenOver",
  ]);
});
