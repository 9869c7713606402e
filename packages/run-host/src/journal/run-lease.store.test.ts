import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { type Database, openDatabase } from "@weft/database";
import { LeaseLostError } from "@weft/engine/ports/journal";
import { sql } from "kysely";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { completed, createRun, journal, leaseMs, newRun, started, warned } from "../host/testing/store-runs.ts";
import { createRunStore, type NewRun } from "./run.store.ts";
import { announcedOwner } from "./run-lease.store.ts";

await forEachDatabase(({ name, openTestDatabase, createTestStorage }) => {
  async function setUp(t: TestContext) {
    const database = await openTestDatabase(t);
    return { database, store: createRunStore({ database, project: () => [] }) };
  }

  describe("leases", () => {
    test("abandoned runs are taken over oldest first, each once, and their old owner is fenced off", async (t) => {
      const { database, store } = await setUp(t);
      const runs = [await createRun(store, {}, 30), await createRun(store, {}, 10), await createRun(store, {}, 20)];
      const live = await createRun(store, {}, 1);
      const waiting = await createRun(store, {}, 2);
      await store.append({ runId: waiting.id, epoch: 1, events: journal(2, { type: "run-suspended" }) });
      await expire(database, runs);
      const claimed = await store.claimAbandoned({ owner: "p2", leaseMs, limit: 2, now: 0 });
      assert.deepEqual(
        claimed.map((run) => [run.id, run.leaseEpoch, run.leaseOwner]),
        [
          [runs[1]?.id, 2, "p2"],
          [runs[2]?.id, 2, "p2"],
        ],
      );
      const rest = await store.claimAbandoned({ owner: "p3", leaseMs, limit: 10, now: 0 });
      assert.deepEqual(
        rest.map((run) => run.id),
        [runs[0]?.id],
      );
      assert.deepEqual(await store.claimAbandoned({ owner: "p4", leaseMs, limit: 10, now: 0 }), []);
      const runId = runs[1]?.id ?? "";
      await assert.rejects(store.append({ runId, epoch: 1, events: journal(2, warned) }), LeaseLostError);
      await store.append({ runId, epoch: 2, events: journal(2, warned) });
      await store.append({ runId: live.id, epoch: 1, events: journal(2, warned) });
    });

    test("a run that waits for a moment is claimed when it has come, and by one process", async (t) => {
      const storage = await createTestStorage(t);
      const first = await storage.open();
      const databases = name === "postgres" ? [first, await storage.open()] : [first];
      const stores = databases.map((database) => createRunStore({ database, project: () => [] }));
      const store = stores[0] ?? assert.fail();
      const suspend = async (dueAt: number) => {
        const { id } = await createRun(store);
        await store.append({ runId: id, epoch: 1, events: journal(2, { type: "run-suspended", dueAt }) });
        return id;
      };
      const [late, early] = [await suspend(2_000), await suspend(1_000)];
      assert.deepEqual(await store.claimDue({ owner: "p2", leaseMs, limit: 10, now: 999 }), []);
      const claims = await Promise.all(
        [0, 1, 2, 3].map((index) =>
          (stores[index % stores.length] ?? store).claimDue({ owner: `p${index}`, leaseMs, limit: 10, now: 1_500 }),
        ),
      );
      const [row, ...others] = claims.flat();
      assert.deepEqual([row?.id, row?.status, row?.dueAt, others], [early, "suspended", 1_000, []]);
      await store.release(row ?? assert.fail());
      const all = await store.claimDue({ owner: "p9", leaseMs, limit: 10, now: 3_000 });
      assert.deepEqual(
        all.map(({ id }) => id),
        [early, late],
      );
      const resumed = { type: "node-resumed", nodeKey: "w#0", nodeId: "w", waitId: "w1", answer: null } as const;
      await store.append({ runId: early, epoch: all[0]?.leaseEpoch ?? 0, events: journal(3, resumed) });
      const { run } = (await store.load(early)) ?? assert.fail();
      assert.deepEqual([run.status, run.dueAt], ["running", null]);
    });

    test("a run that holds its answer runs on without a lease, and is left alone until its moment", async (t) => {
      const { store } = await setUp(t);
      const hold = async () => {
        const { id } = await createRun(store);
        const events = journal(2, { type: "run-suspended", dueAt: 1_000, holds: true });
        await store.append({ runId: id, epoch: 1, events });
        return id;
      };
      const [due, signalled, unwanted] = [await hold(), await hold(), await hold()];
      const { run } = (await store.load(due)) ?? assert.fail();
      assert.deepEqual([run.status, run.leaseOwner, run.dueAt], ["running", null, 1_000]);
      assert.deepEqual((await store.listHeld()).toSorted(), [due, signalled, unwanted].toSorted());
      const claim = { owner: "p2", leaseMs, limit: 10 };
      assert.deepEqual(await store.claimAbandoned({ ...claim, now: 999 }), []);
      assert.deepEqual(await store.claimDue({ ...claim, now: 2_000 }), []);
      const taken = await Promise.all(["p3", "p4"].map((owner) => store.claim(signalled, owner, leaseMs)));
      assert.equal(taken.filter((row) => row !== undefined).length, 1);
      assert.equal(taken.find((row) => row !== undefined)?.dueAt, null);
      await store.requestCancel(unwanted);
      const early = await store.claimAbandoned({ ...claim, now: 999 });
      assert.deepEqual(
        early.map(({ id }) => id),
        [unwanted],
      );
      const [row] = await store.claimAbandoned({ ...claim, now: 1_000 });
      assert.deepEqual([row?.id, row?.dueAt], [due, null]);
      assert.deepEqual(await store.listHeld(), []);
    });

    test("many claimers never get the same run", async (t) => {
      const storage = await createTestStorage(t);
      const first = await storage.open();
      const databases = name === "postgres" ? [first, await storage.open()] : [first];
      const stores = databases.map((database) => createRunStore({ database, project: () => [] }));
      const store = stores[0] ?? createRunStore({ database: first, project: () => [] });
      const runs = [];
      for (let index = 0; index < 20; index += 1) runs.push(await createRun(store, {}, index));
      await expire(first, runs);
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (stores[index % stores.length] ?? store).claimAbandoned({ owner: `p${index}`, leaseMs, limit: 3, now: 0 }),
        ),
      );
      const ids = claims.flat().map((run) => run.id);
      assert.equal(new Set(ids).size, ids.length);
      for (const claim of claims) assert.ok(claim.length <= 3);
      const rest = await store.claimAbandoned({ owner: "last", leaseMs, limit: 100, now: 0 });
      assert.deepEqual([...ids, ...rest.map((run) => run.id)].toSorted(), runs.map((run) => run.id).toSorted());
    });

    test("a suspended run is claimed by one, stays suspended, and goes on with the next events", async (t) => {
      const { database, store } = await setUp(t);
      const run = await createRun(store);
      assert.equal(await store.claim(run.id, "p2", leaseMs), undefined);
      await store.append({ runId: run.id, epoch: 1, events: journal(2, { type: "run-suspended" }) });
      const claims = await Promise.all(["p2", "p3", "p4"].map((owner) => store.claim(run.id, owner, leaseMs)));
      const [winner, ...others] = claims.filter((claim) => claim !== undefined);
      assert.deepEqual(others, []);
      assert.equal(winner?.status, "suspended");
      assert.equal(winner?.leaseEpoch, 2);
      assert.deepEqual(await store.claimAbandoned({ owner: "p5", leaseMs, limit: 10, now: 0 }), []);
      // The winner dies before it wrote anything: the run waits as before, for another.
      await expire(database, [run]);
      assert.deepEqual(await store.claimAbandoned({ owner: "p5", leaseMs, limit: 10, now: 0 }), []);
      const second = await store.claim(run.id, "p6", leaseMs);
      assert.equal(second?.leaseEpoch, 3);
      await assert.rejects(store.append({ runId: run.id, epoch: 2, events: journal(3, warned) }), LeaseLostError);
      await store.append({ runId: run.id, epoch: 3, events: journal(3, warned) });
      assert.equal((await store.load(run.id))?.run.status, "running");
    });

    test("renewing prolongs what nobody took, ended leases included, and names what others have", async (t) => {
      const { database, store } = await setUp(t);
      const [kept, stolen, over] = [await createRun(store), await createRun(store), await createRun(store)];
      const runIds = [kept.id, stolen.id, over.id];
      await expire(database, [kept, stolen]);
      assert.deepEqual(await store.renewLeases({ owner: "p1", leaseMs, runIds: [kept.id] }), []);
      const claimed = await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10, now: 0 });
      assert.deepEqual(
        claimed.map(({ id }) => id),
        [stolen.id],
      );
      await store.append({ runId: over.id, epoch: 1, events: journal(2, completed) });
      const lost = await store.renewLeases({ owner: "p1", leaseMs, runIds });
      assert.deepEqual(lost.toSorted(), [stolen.id, over.id].toSorted());
      assert.deepEqual(await store.renewLeases({ owner: "p1", leaseMs, runIds: [] }), []);
    });

    test("a process takes none of its own runs away from itself, however long it stood still", async (t) => {
      const { database, store } = await setUp(t);
      const [own, other] = [await createRun(store), await createRun(store, {}, 0, "p9")];
      await expire(database, [own, other]);
      const claimed = await store.claimAbandoned({ owner: "p1", leaseMs, limit: 10, now: 0 });
      assert.deepEqual(
        claimed.map(({ id }) => id),
        [other.id],
      );
      await store.append({ runId: own.id, epoch: 1, events: journal(2, warned) });
    });

    test("a run that is set aside is claimed by anybody when its lease has ended", async (t) => {
      const { database, store } = await setUp(t);
      const run = await createRun(store);
      await expire(database, [run]);
      const [claimed] = await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10, now: 0 });
      assert.ok(claimed);
      await store.setAside([run.id], "p1");
      assert.equal((await store.load(run.id))?.run.leaseOwner, "p2");
      // More than a statement has room for.
      const others = Array.from({ length: 70_000 }, () => randomUUID());
      await store.setAside([...others, run.id], "p2");
      assert.deepEqual(await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10, now: 0 }), []);
      await expire(database, [run]);
      assert.equal((await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10, now: 0 })).length, 1);
    });

    test("take-overs are counted until the run gets further, or its process ends in order", async (t) => {
      const { database, store } = await setUp(t);
      const run = await createRun(store);
      const takeOver = async (isFurther = false) => {
        await expire(database, [run]);
        const [row] = await store.claimAbandoned({ owner: randomUUID(), leaseMs, limit: 10, now: 0 });
        assert.ok(row);
        return { row, count: await store.countTakeOver(row, isFurther) };
      };
      assert.equal((await takeOver()).count, 1);
      const { row, count } = await takeOver();
      assert.equal(count, 2);
      await store.append({ runId: run.id, epoch: row.leaseEpoch, events: journal(2, warned) });
      const further = await takeOver(true);
      assert.equal(further.count, 1);
      assert.equal((await store.load(run.id))?.run.takeOverSeq, 2);
      const last = await takeOver();
      assert.equal(last.count, 2);
      await store.releaseLeases(last.row.leaseOwner ?? "");
      if (name === "postgres") await store.claimReady({ owner: "p2", leaseMs, limit: 1 });
      assert.equal((await takeOver()).count, 1);
    });

    test("released leases are free at once, and their owner can no longer write", async (t) => {
      const { store } = await setUp(t);
      const [run, other] = [await createRun(store), await createRun(store, {}, 0, "p9")];
      await store.releaseLeases("p1");
      await assert.rejects(store.append({ runId: run.id, epoch: 1, events: journal(2, warned) }), LeaseLostError);
      await store.append({ runId: other.id, epoch: 1, events: journal(2, warned) });
      const claim = { owner: "p2", leaseMs, limit: 10, now: 0 };
      const claimed = name === "sqlite" ? await store.claimAbandoned(claim) : (await store.claimReady(claim)).claimed;
      assert.deepEqual(
        claimed.map((row) => row.id),
        [run.id],
      );
    });

    test("all leases are void when the only process starts, and none where others may run", async (t) => {
      const { store } = await setUp(t);
      const [run, waiting] = [await createRun(store), await createRun(store)];
      await store.append({ runId: waiting.id, epoch: 1, events: journal(2, { type: "run-suspended" }) });
      await store.claim(waiting.id, "p1", leaseMs);
      await store.voidLeases();
      const claimed = await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10, now: 0 });
      const resumed = await store.claim(waiting.id, "p2", leaseMs);
      if (name === "sqlite") {
        assert.deepEqual(
          claimed.map((row) => row.id),
          [run.id],
        );
        assert.equal(resumed?.leaseEpoch, 3);
      } else {
        assert.deepEqual(claimed, []);
        assert.equal(resumed, undefined);
      }
    });

    test("a lease is as long as the process that holds it was told, whatever lease another one has", async (t) => {
      const { store } = await setUp(t);
      const long = { run: newRun(), owner: "p1", leaseMs: 60_000 };
      const ended = { run: newRun(), owner: "p2", leaseMs: -1 };
      for (const lease of [long, ended]) await store.create({ ...lease, events: journal(1, started(lease.run)) });
      const claim = async (leaseMs: number) =>
        (await store.claimAbandoned({ owner: "p3", leaseMs, limit: 10, now: 0 })).map(({ id }) => id);
      assert.deepEqual(await claim(200), [ended.run.id]);
      assert.deepEqual(await store.renewLeases({ owner: "p3", leaseMs: -1, runIds: [ended.run.id] }), []);
      assert.deepEqual(
        (await store.claimAbandoned({ owner: "p4", leaseMs: 60_000, limit: 10, now: 0 })).map(({ id }) => id),
        [ended.run.id],
      );
    });

    if (name === "sqlite") return;

    test("runs of a process that is gone are free soon, those of one that is connected or from before are not", async (t) => {
      let opened: Database | undefined;
      t.after(() => opened?.close());
      const storage = await createTestStorage(t);
      const [gone, here] = await Promise.all([storage.open(), storage.open()]);
      const claimer = await openDatabase({ ...storage, times: { settledAfterMs: 50 } });
      opened = claimer;
      const owners = { gone: announcedOwner(randomUUID()), here: announcedOwner(randomUUID()), before: randomUUID() };
      gone.signals.announce(owners.gone);
      here.signals.announce(owners.here);
      claimer.signals.announce(announcedOwner(randomUUID()));
      const store = createRunStore({ database: claimer, project: () => [] });
      const [left] = [
        await createRun(store, {}, 0, owners.gone),
        await createRun(store, {}, 0, owners.here),
        await createRun(store, {}, 0, owners.before),
      ];
      const isPresent = async (owner: string) => {
        const { signals, read } = claimer;
        const { rows } = await sql<{ is: boolean }>`select ${signals.isPresent(sql`${owner}::text`)} as "is"`.execute(
          read,
        );
        return rows[0]?.is;
      };
      await until(async () => ((await isPresent(owners.gone)) && (await isPresent(owners.here)) ? true : undefined));
      await gone.close();
      // As it would be two seconds after the last renewal.
      const late = leaseMs + 2_000;
      const claimed = await until(async () => {
        const rows = await store.claimAbandoned({ owner: "p2", leaseMs: late, limit: 10, now: 0 });
        return rows.length > 0 ? rows.map(({ id }) => id) : undefined;
      });
      assert.deepEqual(claimed, [left.id]);
      assert.equal(claimer.signals.seesOthers(), true);
      assert.deepEqual(await store.claimAbandoned({ owner: "p3", leaseMs: late, limit: 10, now: 0 }), []);
    });
  });
});

/** Lets the leases of these runs end now. */
async function expire(database: Database, runs: readonly NewRun[]): Promise<void> {
  const ids = runs.map((run) => run.id);
  await database.write((tx) => tx.updateTable("runs").set({ leaseUntil: 1 }).where("id", "in", ids).execute());
}
