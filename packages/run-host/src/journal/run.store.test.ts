import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { type Commit, type Database, isUniqueViolation } from "@weft/database";
import { LeaseLostError } from "@weft/engine/ports/journal";
import { everything } from "@weft/http/identity";
import type { RunEventBody } from "@weft/schema";
import type { CompiledQuery } from "kysely";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { completed, createRun, journal, leaseMs, newRun, started, warned } from "../host/testing/store-runs.ts";
import { createRunStore, type FollowUp, type ProjectRun } from "./run.store.ts";
import { emptySummary, summaryText } from "./run-rows.ts";

/** Another process takes the run over; resolves with its epoch. */
async function takeOver(database: Database, id: string): Promise<number> {
  const { leaseEpoch } = await database.write((tx) =>
    tx
      .updateTable("runs")
      .set(({ eb }) => ({ leaseEpoch: eb("leaseEpoch", "+", 1), leaseOwner: "p2" }))
      .where("id", "=", id)
      .returning("leaseEpoch")
      .executeTakeFirstOrThrow(),
  );
  return leaseEpoch;
}

const failed: RunEventBody = {
  type: "run-failed",
  error: { code: "flow-limit", message: "Too long.", retryable: false },
  nodeKey: null,
};

await forEachDatabase(({ openTestDatabase }) => {
  async function setUp(t: TestContext, project: (database: Database) => ProjectRun = () => () => []) {
    const database = await openTestDatabase(t);
    return { database, store: createRunStore({ database, project: project(database) }) };
  }

  test("a run that begins to wait after a cancel was asked for is due at once; one that waits already is ended with its agent", async (t) => {
    const { store, database } = await setUp(t);
    const suspended: RunEventBody = { type: "run-suspended", dueAt: 9_000_000_000_000 };
    const runs = [await createRun(store), await createRun(store)];
    const [cancelled, other] = runs;
    assert.equal((await store.requestCancel(cancelled?.id ?? ""))?.status, "running");
    for (const { id } of runs) await store.append({ runId: id, epoch: 1, events: journal(2, suspended) });
    const due = await store.claimDue({ owner: "p2", leaseMs, limit: 10, now: 1 });
    assert.deepEqual(
      due.map(({ id, cancelRequested }) => [id, cancelRequested]),
      [[cancelled?.id, 1]],
    );
    await database.write((tx) => store.requestCancelOfAgent(tx, other?.agentId ?? "", 1));
    assert.equal((await store.load(other?.id ?? ""))?.run.status, "cancelled");
  });

  describe("the journal", () => {
    test("a run is created with its first events and a lease, and loads as it was written", async (t) => {
      const { store } = await setUp(t);
      const run = newRun();
      const events = journal(1, started(run), { type: "node-started", nodeKey: "a#0", nodeId: "a", attempt: 1 });
      assert.deepEqual(await store.create({ run, events, owner: "p1", leaseMs }), { epoch: 1 });
      const loaded = await store.load(run.id);
      assert.ok(loaded);
      assert.deepEqual(loaded.events, events);
      const { leaseUntil, ...row } = loaded.run;
      assert.ok(leaseUntil > 0);
      assert.deepEqual(row, {
        ...run,
        status: "running",
        lastSeq: 2,
        leaseEpoch: 1,
        leaseOwner: "p1",
        cancelRequested: 0,
        createdDate: "2025-06-01T12:00:00.001Z",
        updatedDate: "2025-06-01T12:00:00.002Z",
        stoppedDate: null,
        errorCode: null,
        summary: summaryText({ ...emptySummary, question: "?" }),
        turnOrder: 1,
        takeOvers: 0,
        takeOverSeq: 0,
        dueAt: null,
        durationMs: null,
        totalTokens: null,
        costNanos: null,
      });
      assert.equal(await store.load(randomUUID()), undefined);
    });

    test("an id that is taken is refused and changes nothing", async (t) => {
      const { store } = await setUp(t);
      const run = await createRun(store);
      const again = store.create({ run, events: journal(1, started(run)), owner: "p2", leaseMs });
      await assert.rejects(again, isUniqueViolation);
      assert.equal((await store.load(run.id))?.run.leaseOwner, "p1");
    });

    test("a process's journal begins runs and goes on with them", async (t) => {
      const { store } = await setUp(t);
      const run = newRun();
      const mine = store.journalOf({ owner: "p1", leaseMs });
      await mine.append({ runId: run.id, epoch: 1, events: journal(1, started(run)) });
      await mine.append({ runId: run.id, epoch: 1, events: journal(2, warned) });
      const loaded = await store.load(run.id);
      assert.deepEqual(loaded?.events, journal(1, started(run), warned));
      assert.equal(loaded?.run.agentVersionId, run.agentVersionId);
    });

    test("events keep every character and every number of JSON", async (t) => {
      const { store } = await setUp(t);
      const run = await createRun(store);
      const output = { text: "\u0000\u0001 ÅÅ 😀 \ud800", deep: [1.5e-7, null, { "": -0.1 }] };
      const events = journal(2, { type: "node-completed", nodeKey: "a#0", nodeId: "a", output });
      await store.append({ runId: run.id, epoch: 1, events });
      assert.deepEqual((await store.load(run.id))?.events.slice(1), events);
    });

    test("a batch of many events is written whole, and an empty one is nothing", async (t) => {
      const { store } = await setUp(t);
      const run = await createRun(store);
      const events = journal(2, ...Array.from({ length: 300 }, () => warned));
      await store.append({ runId: run.id, epoch: 1, events });
      await store.append({ runId: run.id, epoch: 1, events: [] });
      const loaded = await store.load(run.id);
      assert.deepEqual(loaded?.events.slice(1), events);
      assert.equal(loaded?.run.lastSeq, 301);
    });

    test("an append that does not continue the journal is refused and writes nothing", async (t) => {
      const { store } = await setUp(t);
      const run = await createRun(store);
      for (const [epoch, seq] of [
        [1, 1],
        [1, 3],
        [0, 2],
        [2, 2],
      ] as const) {
        await assert.rejects(store.append({ runId: run.id, epoch, events: journal(seq, warned) }), LeaseLostError);
        const ended = journal(seq, { type: "run-cancelled" });
        await assert.rejects(store.append({ runId: run.id, epoch, events: ended }), LeaseLostError);
      }
      await assert.rejects(store.append({ runId: randomUUID(), epoch: 1, events: journal(2, warned) }), LeaseLostError);
      const loaded = await store.load(run.id);
      assert.equal(loaded?.run.lastSeq, 1);
      assert.equal(loaded?.events.length, 1);
    });

    test("of two appends with the same number one wins", async (t) => {
      const { store } = await setUp(t);
      const run = await createRun(store);
      const results = await Promise.allSettled(
        Array.from({ length: 5 }, () => store.append({ runId: run.id, epoch: 1, events: journal(2, warned) })),
      );
      assert.equal(results.filter((result) => result.status === "fulfilled").length, 1);
      for (const result of results) {
        if (result.status === "rejected") assert.ok(result.reason instanceof LeaseLostError);
      }
      assert.equal((await store.load(run.id))?.events.length, 2);
    });
  });

  describe("the row", () => {
    for (const { body, status, isEnd } of [
      { body: completed, status: "completed", isEnd: true },
      { body: failed, status: "failed", isEnd: true },
      { body: { type: "run-cancelled" } as const, status: "cancelled", isEnd: true },
      { body: { type: "run-suspended" } as const, status: "suspended", isEnd: false },
    ]) {
      test(`${body.type} makes the run ${status} and ends its lease`, async (t) => {
        const { store } = await setUp(t);
        const run = await createRun(store);
        await store.append({ runId: run.id, epoch: 1, events: journal(2, warned, body) });
        const row = (await store.load(run.id))?.run;
        assert.equal(row?.status, status);
        assert.equal(row?.lastSeq, 3);
        assert.equal(row?.leaseOwner, null);
        assert.equal(row?.leaseUntil, 0);
        assert.equal(row?.stoppedDate, isEnd ? "2025-06-01T12:00:00.003Z" : null);
        await assert.rejects(
          store.append({ runId: run.id, epoch: 1, events: journal(4, { type: "run-cancelled" }) }),
          LeaseLostError,
        );
      });
    }

    for (const { kind, follow } of [
      {
        kind: "as statements",
        follow: ({ read }: Database, row: Setting): FollowUp => [read.insertInto("settings").values(row).compile()],
      },
      {
        kind: "as code",
        follow:
          (_: Database, row: Setting): FollowUp =>
          async (tx) => {
            await tx.insertInto("settings").values(row).execute();
          },
      },
    ]) {
      test(`what follows from a run's end is written in the same commit, and only then, ${kind}`, async (t) => {
        const seen: unknown[] = [];
        const { database, store } = await setUp(t, (on) => (run, events) => {
          seen.push([run.status, run.lastSeq, events.map((event) => event.type)]);
          return follow(on, { name: run.id, value: run.status });
        });
        const run = await createRun(store);
        await store.append({ runId: run.id, epoch: 1, events: journal(2, warned) });
        assert.deepEqual(seen, []);
        await store.append({ runId: run.id, epoch: 1, events: journal(3, warned, completed) });
        assert.deepEqual(seen, [["completed", 4, ["run-warned", "run-completed"]]]);
        assert.deepEqual(await settings(database), [{ name: run.id, value: "completed" }]);
        const short = newRun();
        await store.create({ run: short, events: journal(1, started(short), failed), owner: "p1", leaseMs });
        assert.equal((await settings(database)).length, 2);
        assert.equal((await store.load(short.id))?.run.stoppedDate, "2025-06-01T12:00:00.002Z");
      });

      test(`when that fails the events are not written either, ${kind}`, async (t) => {
        const { database, store } = await setUp(t, (on) => () => follow(on, { name: "taken", value: "again" }));
        await database.write((tx) => tx.insertInto("settings").values({ name: "taken", value: "" }).execute());
        const run = await createRun(store);
        await assert.rejects(
          store.append({ runId: run.id, epoch: 1, events: journal(2, completed) }),
          isUniqueViolation,
        );
        const loaded = await store.load(run.id);
        assert.equal(loaded?.run.status, "running");
        assert.equal(loaded?.events.length, 1);
        assert.deepEqual(await settings(database), [{ name: "taken", value: "" }]);
        await store.append({ runId: run.id, epoch: 1, events: journal(2, warned) });
      });
    }

    describe("a connection that is lost during a commit", () => {
      /** A store whose commits are settled by their proof, after `meanwhile`: whether they took place is unknown. */
      const losing = (database: Database, meanwhile: () => Promise<unknown>) =>
        createRunStore({
          project: () => [],
          database: {
            ...database,
            async commit<R>(commit: Commit) {
              await meanwhile();
              const { rows } = await database.read.executeQuery<R>(commit.proof as CompiledQuery<R>);
              return rows.length > 0 ? rows : await database.commit<R>(commit);
            },
          },
        });

      test("is a lost lease when the process that took over wrote the same", async (t) => {
        const { database, store } = await setUp(t);
        const run = await createRun(store);
        const events = journal(2, warned);
        const frozen = losing(database, async () => {
          const epoch = await takeOver(database, run.id);
          await store.append({ runId: run.id, epoch, events });
        });
        await assert.rejects(frozen.append({ runId: run.id, epoch: 1, events }), LeaseLostError);
        assert.equal((await store.load(run.id))?.events.length, 2);
      });

      test("is a lost lease when the commit took place and another process has taken over since", async (t) => {
        const { database, store } = await setUp(t);
        const run = await createRun(store);
        const events = journal(2, warned);
        const frozen = losing(database, async () => {
          await store.append({ runId: run.id, epoch: 1, events });
          await takeOver(database, run.id);
        });
        await assert.rejects(frozen.append({ runId: run.id, epoch: 1, events }), LeaseLostError);
      });

      test("changes nothing when the commit took place", async (t) => {
        const { database, store } = await setUp(t);
        const run = await createRun(store);
        for (const events of [journal(2, warned), journal(3, completed)]) {
          const lost = losing(database, () => store.append({ runId: run.id, epoch: 1, events }));
          await lost.append({ runId: run.id, epoch: 1, events });
        }
        const { run: row, events } = (await store.load(run.id)) ?? assert.fail();
        assert.deepEqual([row.status, events.length], ["completed", 3]);
      });

      test("lets one process begin a run that two begin with the same event", async (t) => {
        const { database, store } = await setUp(t);
        for (const other of ["p2", null]) {
          const run = newRun();
          const events = journal(1, started(run));
          const lost = losing(database, () => store.create({ run, events, owner: other, leaseMs }));
          await assert.rejects(lost.create({ run, events, owner: "p1", leaseMs }), isUniqueViolation);
        }
      });

      test("is settled by the run for a process that leaves it to others", async (t) => {
        const { database, store } = await setUp(t);
        const run = newRun();
        const creation = { run, events: journal(1, started(run)), owner: null, leaseMs };
        const lost = losing(database, async () => {
          await store.create(creation);
          await takeOver(database, run.id);
        });
        assert.deepEqual(await lost.create(creation), { epoch: 1 });
      });
    });

    test("nothing follows for a process that lost the run", async (t) => {
      const { database, store } = await setUp(t, ({ read }) => ({ id: name, status: value }) => [
        read.insertInto("settings").values({ name, value }).compile(),
      ]);
      const run = await createRun(store);
      for (const [epoch, seq] of [
        [2, 2],
        [1, 3],
        [0, 2],
      ] as const) {
        await assert.rejects(store.append({ runId: run.id, epoch, events: journal(seq, completed) }), LeaseLostError);
      }
      assert.deepEqual(await settings(database), []);
    });

    test("the open runs of a chat come newest first, ties by id", async (t) => {
      const { store } = await setUp(t);
      const chat = { agentId: randomUUID(), chatId: randomUUID() };
      const runs = [await createRun(store, chat, 5), await createRun(store, chat, 7), await createRun(store, chat, 7)];
      const over = await createRun(store, chat, 9);
      await store.append({ runId: over.id, epoch: 1, events: journal(2, completed) });
      await createRun(store, { ...chat, chatId: randomUUID() });
      await createRun(store, { ...chat, agentId: randomUUID() });
      await store.append({ runId: runs[0]?.id ?? "", epoch: 1, events: journal(2, { type: "run-suspended" }) });
      const [oldest, ...twins] = runs.map((run) => run.id);
      const listed = await store.listOpen({ ...chat, reach: everything });
      assert.deepEqual(
        listed.map((run) => run.id),
        [...twins.toSorted().reverse(), oldest],
      );
      assert.equal(listed.at(-1)?.status, "suspended");
    });

    test("a cancel is noted until the run has ended", async (t) => {
      const { store } = await setUp(t);
      const [run, other] = [await createRun(store), await createRun(store)];
      const ids = [run.id, other.id];
      assert.deepEqual(await store.cancelRequested(ids), []);
      assert.equal((await store.requestCancel(run.id))?.cancelRequested, 1);
      assert.deepEqual(await store.cancelRequested(ids), [run.id]);
      assert.deepEqual(await store.cancelRequested([]), []);
      await store.append({ runId: run.id, epoch: 1, events: journal(2, { type: "run-cancelled" }) });
      assert.equal(await store.requestCancel(run.id), undefined);
      assert.equal(await store.requestCancel(randomUUID()), undefined);
    });
  });
});

type Setting = { name: string; value: string };

function settings(database: Database) {
  return database.read.selectFrom("settings").selectAll().orderBy("name").execute();
}
