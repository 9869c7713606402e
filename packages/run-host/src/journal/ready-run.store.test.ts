import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { LeaseLostError } from "@weft/engine/ports/journal";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { completed, createRun, journal, leaseMs, newRun, started, warned } from "../host/testing/store-runs.ts";
import { createRunStore, type NewRun } from "./run.store.ts";

await forEachDatabase(({ name, openTestDatabase }) => {
  async function setUp(t: TestContext) {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    let offset = 0;
    return {
      store,
      /** Accepted for others, one after the other. */
      async leave(fields: Partial<NewRun> = {}): Promise<string> {
        const run = { ...newRun(), ...fields };
        offset += 1;
        const events = journal(1, started(run)).map((event) => ({ ...event, at: event.at + offset }));
        await store.create({ run, events, owner: null, leaseMs });
        return run.id;
      },
    };
  }

  if (name === "sqlite") {
    test("SQLite has one process: nothing is left to others", async (t) => {
      const { store, leave } = await setUp(t);
      await leave();
      assert.deepEqual(await store.claimReady({ owner: "w", leaseMs, limit: 10 }), { claimed: [], left: "none" });
    });
    return;
  }

  describe("ready runs", () => {
    test("are claimed once, the oldest first, and by those who hold them alone written", async (t) => {
      const { store, leave } = await setUp(t);
      const agentId = randomUUID();
      const ids = [await leave({ agentId }), await leave({ agentId }), await leave({ agentId })];
      await createRun(store, { agentId });
      assert.deepEqual(await store.claimAbandoned({ owner: "w", leaseMs, limit: 10, now: 0 }), []);
      const first = await store.claimReady({ owner: "w1", leaseMs, limit: 2 });
      assert.deepEqual(
        first.claimed.map(({ id, leaseOwner, leaseEpoch }) => [id, leaseOwner, leaseEpoch]),
        ids.slice(0, 2).map((id) => [id, "w1", 2]),
      );
      assert.equal(first.left, "some");
      const [runId = ""] = ids;
      await assert.rejects(store.append({ runId, epoch: 1, events: journal(2, warned) }), LeaseLostError);
      await store.append({ runId, epoch: 2, events: journal(2, completed) });
      const second = await store.claimReady({ owner: "w2", leaseMs, limit: 2 });
      assert.deepEqual(
        second.claimed.map(({ id }) => id),
        ids.slice(2),
      );
      assert.deepEqual(await store.claimReady({ owner: "w2", leaseMs, limit: 2 }), { claimed: [], left: "none" });
    });

    test("of one session are claimed one after the other, those that were handed over included", async (t) => {
      const { store, leave } = await setUp(t);
      const session = { agentId: randomUUID(), sessionId: "s", chatId: "s" };
      const ids = [await leave(session), await leave(session)];
      const claim = () => store.claimReady({ owner: "w", leaseMs, limit: 10 });
      const { claimed } = await claim();
      assert.deepEqual(
        claimed.map(({ id }) => id),
        ids.slice(0, 1),
      );
      assert.deepEqual(await claim(), { claimed: [], left: "some" });
      await store.handOver({ id: ids[0] ?? "", leaseEpoch: 1 });
      assert.deepEqual(await claim(), { claimed: [], left: "some" }, "An earlier lease hands nothing over.");
      await store.handOver({ id: ids[0] ?? "", leaseEpoch: 2 });
      const again = await claim();
      assert.deepEqual(
        again.claimed.map(({ id, leaseEpoch }) => [id, leaseEpoch]),
        [[ids[0], 3]],
      );
      await store.append({ runId: ids[0] ?? "", epoch: 3, events: journal(2, completed) });
      const next = await claim();
      assert.deepEqual(
        next.claimed.map(({ id }) => id),
        ids.slice(1),
      );
    });

    test("of an agent with few runs come before those of one with many", async (t) => {
      const { store, leave } = await setUp(t);
      const [busy, quiet, other] = [randomUUID(), randomUUID(), randomUUID()];
      for (let n = 0; n < 20; n += 1) await leave({ agentId: busy });
      const late = [await leave({ agentId: quiet }), await leave({ agentId: other }), await leave({ agentId: quiet })];
      const { claimed } = await store.claimReady({ owner: "w", leaseMs, limit: 4 });
      assert.deepEqual(new Set(claimed.map(({ agentId }) => agentId)), new Set([busy, quiet, other]));
      const next = await store.claimReady({ owner: "w", leaseMs, limit: 1 });
      const taken = [...claimed, ...next.claimed].map(({ id }) => id);
      assert.ok(
        late.every((id) => taken.includes(id)),
        "All of the quiet ones begin within five.",
      );
    });

    test("of agents that are excepted are left", async (t) => {
      const { store, leave } = await setUp(t);
      const [here, guest] = [randomUUID(), randomUUID()];
      await leave({ agentId: here });
      const id = await leave({ agentId: guest });
      const { claimed } = await store.claimReady({ owner: "w", leaseMs, limit: 5, except: [here] });
      assert.deepEqual(
        claimed.map((run) => run.id),
        [id],
      );
      const nothing = { claimed: [], left: "some" };
      assert.deepEqual(await store.claimReady({ owner: "w", leaseMs, limit: 5, except: [here] }), nothing);
    });

    test("are shared by processes that claim at the same moment", async (t) => {
      const { store, leave } = await setUp(t);
      const ids: string[] = [];
      for (let n = 0; n < 60; n += 1) ids.push(await leave());
      const claimed: string[] = [];
      const work = async (owner: string) => {
        for (;;) {
          const result = await store.claimReady({ owner, leaseMs, limit: 7 });
          claimed.push(...result.claimed.map(({ id }) => id));
          if (result.left === "none") return;
        }
      };
      await Promise.all(["a", "b", "c", "d"].map(work));
      assert.deepEqual(claimed.toSorted(), ids.toSorted());
    });
  });
});
