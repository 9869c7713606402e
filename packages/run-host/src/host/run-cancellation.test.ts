import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { RunHandle } from "@weft/engine";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createRunStore } from "../journal/run.store.ts";
import { createRunCancellation } from "./run-cancellation.ts";
import { hostContext } from "./testing/host-context.ts";
import { completed, createRun, journal, leaseMs } from "./testing/store-runs.ts";

await forEachDatabase(({ openTestDatabase }) => {
  /** The process "p1", in whose memory the run is. */
  async function setUp(t: TestContext) {
    const store = createRunStore({ database: await openTestDatabase(t), project: () => [] });
    const { id: runId } = await createRun(store);
    const told: string[] = [];
    const state = { end: null as string | null, pause: null };
    const done = Promise.withResolvers<void>();
    done.promise.catch(() => undefined);
    const handle = { runId, state, done: done.promise, cancel: () => void told.push("cancel") } as unknown as RunHandle;
    const context = hostContext({ store, active: new Map([[runId, { handle }]]), lessee: { owner: "p1", leaseMs } });
    const cancellation = createRunCancellation(
      context,
      async ({ row }) => void told.push(`take over at ${row.leaseEpoch}`),
    );
    return { store, runId, told, state, done, cancellation };
  }

  describe("a cancel", () => {
    test("is done at once where the process works on the run", async (t) => {
      const { runId, told, cancellation } = await setUp(t);
      await cancellation.cancel(runId);
      assert.deepEqual(told, ["cancel", "cancel"]);
    });

    test("that comes after the run ended is acknowledged once that is durable", async (t) => {
      const { store, runId, told, state, done, cancellation } = await setUp(t);
      state.end = "completed";
      const cancelled = cancellation.cancel(runId).then(() => told.push("acknowledged"));
      await setTimeout(100);
      await store.append({ runId, epoch: 1, events: journal(2, completed) });
      told.push("durable");
      done.resolve();
      await cancelled;
      assert.deepEqual(told, ["cancel", "cancel", "durable", "acknowledged"]);
    });

    test("ends a run whose end could not be recorded", async (t) => {
      const { runId, told, state, done, cancellation } = await setUp(t);
      state.end = "completed";
      done.reject(new Error("The database is gone."));
      await cancellation.cancel(runId);
      assert.deepEqual(told, ["cancel", "cancel", "take over at 2"]);
    });

    test("takes the run from the process that took it over while this one stood still", async (t) => {
      const { store, runId, told, cancellation } = await setUp(t);
      const taken = await store.seize(runId, { owner: "p2", leaseMs });
      assert.equal(taken?.leaseEpoch, 2);
      await cancellation.cancel(runId);
      assert.deepEqual(told.slice(2), ["take over at 3"]);
      await assert.rejects(store.append({ runId, epoch: 2, events: journal(2, completed) }));
    });
  });
});
