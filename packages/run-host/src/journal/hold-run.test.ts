import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { Database, Tables } from "@weft/database";
import { LeaseLostError } from "@weft/engine/ports/journal";
import { type Kysely, sql } from "kysely";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { completed, createRun, journal, leaseMs } from "../host/testing/store-runs.ts";
import { holdRun } from "./hold-run.ts";
import { createRunStore } from "./run.store.ts";

await forEachDatabase(({ name, openTestDatabase, createTestStorage }) => {
  async function setUp(t: TestContext) {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    const { id: runId } = await createRun(store);
    return { database, store, runId };
  }

  /** Writes a setting while the run is held. */
  function write(database: Database, run: { runId: string; epoch: number }): Promise<unknown> {
    return database.write(async (tx) => {
      await holdRun(database, tx, run);
      await tx
        .insertInto("settings")
        .values({ name: `epoch ${run.epoch}`, value: "written" })
        .execute();
    });
  }

  async function writtenIn({ read }: Database): Promise<string[]> {
    const rows = await read
      .selectFrom("settings")
      .select("name")
      .where("value", "=", "written")
      .orderBy("name")
      .execute();
    return rows.map((row) => row.name);
  }

  describe("what a step writes outside of the journal", () => {
    test("is refused once another process has the run, or the run is over", async (t) => {
      const { database, store, runId } = await setUp(t);
      await write(database, { runId, epoch: 1 });
      assert.equal((await store.seize(runId, { owner: "p2", leaseMs }))?.leaseEpoch, 2);
      await assert.rejects(write(database, { runId, epoch: 1 }), LeaseLostError);
      await write(database, { runId, epoch: 2 });
      await store.append({ runId, epoch: 2, events: journal(2, completed) });
      await assert.rejects(write(database, { runId, epoch: 2 }), LeaseLostError);
      assert.deepEqual(await writtenIn(database), ["epoch 1", "epoch 2"]);
    });

    test("is written before another process has the run", { skip: name === "sqlite" }, async (t) => {
      const storage = await createTestStorage(t);
      const [database, other] = [await storage.open(), await storage.open()];
      const { id: runId } = await createRun(createRunStore({ database, project: () => [] }));
      const order: string[] = [];
      const held = Promise.withResolvers<void>();
      const writing = database.write(async (tx) => {
        await holdRun(database, tx, { runId, epoch: 1 });
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
        held.resolve();
        await until(async () => order.length > 0 || (await isWaitedFor(other.read, rows[0]?.pid ?? 0)) || undefined);
        order.push("written");
      });
      await held.promise;
      await createRunStore({ database: other, project: () => [] }).seize(runId, { owner: "p2", leaseMs });
      order.push("taken");
      await writing;
      assert.deepEqual(order, ["written", "taken"]);
    });
  });
});

/** Whether another connection waits for that of this number. */
async function isWaitedFor(read: Kysely<Tables>, pid: number): Promise<boolean> {
  const { rows } = await sql`select pid from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`.execute(read);
  return rows.length > 0;
}
