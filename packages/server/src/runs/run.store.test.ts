import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { LeaseLostError } from "@weft/engine";
import type { RunEvent, RunEventBody } from "@weft/schema";
import { everything } from "../http/reach.ts";
import type { Database } from "../storage/database.ts";
import { forEachDatabase } from "../storage/testing/test-databases.ts";
import { isUniqueViolation } from "../storage/unique-violation.ts";
import { createRunStore, type NewRun, type ProjectRun } from "./run.store.ts";
import { emptySummary, summaryText } from "./run-summary.ts";

const leaseMs = 60_000;
const at = Date.parse("2025-06-01T12:00:00.000Z");
const warned: RunEventBody = { type: "run-warned", code: "test", message: "" };
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const completed: RunEventBody = { type: "run-completed", text: "Done.", answerNodeKey: null, usage };
const failed: RunEventBody = {
  type: "run-failed",
  error: { code: "flow-limit", message: "Too long.", retryable: false },
  nodeKey: null,
};

await forEachDatabase(({ name, openTestDatabase, createTestStorage }) => {
  async function setUp(t: TestContext, project: ProjectRun = async () => {}) {
    const database = await openTestDatabase(t);
    return { database, store: createRunStore({ database, project }) };
  }

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

    test("what follows from a run's end is written in the same commit, and only then", async (t) => {
      const seen: unknown[] = [];
      const { database, store } = await setUp(t, async (tx, run, events) => {
        seen.push([run.status, run.lastSeq, events.map((event) => event.type)]);
        await tx.insertInto("settings").values({ name: run.id, value: run.status }).execute();
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

    test("when that fails the events are not written either", async (t) => {
      const { database, store } = await setUp(t, async (tx, run) => {
        await tx.insertInto("settings").values({ name: run.id, value: "" }).execute();
        throw new Error("no room for the message");
      });
      const run = await createRun(store);
      await assert.rejects(
        store.append({ runId: run.id, epoch: 1, events: journal(2, completed) }),
        /no room for the message/,
      );
      const loaded = await store.load(run.id);
      assert.equal(loaded?.run.status, "running");
      assert.equal(loaded?.events.length, 1);
      assert.deepEqual(await settings(database), []);
      await store.append({ runId: run.id, epoch: 1, events: journal(2, warned) });
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

  describe("leases", () => {
    test("abandoned runs are taken over oldest first, each once, and their old owner is fenced off", async (t) => {
      const { database, store } = await setUp(t);
      const runs = [await createRun(store, {}, 30), await createRun(store, {}, 10), await createRun(store, {}, 20)];
      const live = await createRun(store, {}, 1);
      const waiting = await createRun(store, {}, 2);
      await store.append({ runId: waiting.id, epoch: 1, events: journal(2, { type: "run-suspended" }) });
      await expire(database, runs);
      const claimed = await store.claimAbandoned({ owner: "p2", leaseMs, limit: 2 });
      assert.deepEqual(
        claimed.map((run) => [run.id, run.leaseEpoch, run.leaseOwner]),
        [
          [runs[1]?.id, 2, "p2"],
          [runs[2]?.id, 2, "p2"],
        ],
      );
      const rest = await store.claimAbandoned({ owner: "p3", leaseMs, limit: 10 });
      assert.deepEqual(
        rest.map((run) => run.id),
        [runs[0]?.id],
      );
      assert.deepEqual(await store.claimAbandoned({ owner: "p4", leaseMs, limit: 10 }), []);
      const runId = runs[1]?.id ?? "";
      await assert.rejects(store.append({ runId, epoch: 1, events: journal(2, warned) }), LeaseLostError);
      await store.append({ runId, epoch: 2, events: journal(2, warned) });
      await store.append({ runId: live.id, epoch: 1, events: journal(2, warned) });
    });

    test("many claimers never get the same run", async (t) => {
      const storage = await createTestStorage(t);
      const first = await storage.open();
      const databases = name === "postgres" ? [first, await storage.open()] : [first];
      const stores = databases.map((database) => createRunStore({ database, project: async () => {} }));
      const store = stores[0] ?? createRunStore({ database: first, project: async () => {} });
      const runs = [];
      for (let index = 0; index < 20; index += 1) runs.push(await createRun(store, {}, index));
      await expire(first, runs);
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (stores[index % stores.length] ?? store).claimAbandoned({ owner: `p${index}`, leaseMs, limit: 3 }),
        ),
      );
      const ids = claims.flat().map((run) => run.id);
      assert.equal(new Set(ids).size, ids.length);
      for (const claim of claims) assert.ok(claim.length <= 3);
      const rest = await store.claimAbandoned({ owner: "last", leaseMs, limit: 100 });
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
      assert.deepEqual(await store.claimAbandoned({ owner: "p5", leaseMs, limit: 10 }), []);
      // The winner dies before it wrote anything: the run waits as before, for another.
      await expire(database, [run]);
      assert.deepEqual(await store.claimAbandoned({ owner: "p5", leaseMs, limit: 10 }), []);
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
      const claimed = await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10 });
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
      const claimed = await store.claimAbandoned({ owner: "p1", leaseMs, limit: 10 });
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
      const [claimed] = await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10 });
      assert.ok(claimed);
      await store.setAside([run.id], "p1");
      assert.equal((await store.load(run.id))?.run.leaseOwner, "p2");
      await store.setAside([run.id], "p2");
      assert.deepEqual(await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10 }), []);
      await expire(database, [run]);
      assert.equal((await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10 })).length, 1);
    });

    test("take-overs are counted until the run gets further, or its process ends in order", async (t) => {
      const { database, store } = await setUp(t);
      const run = await createRun(store);
      const takeOver = async () => {
        await expire(database, [run]);
        const [row] = await store.claimAbandoned({ owner: randomUUID(), leaseMs, limit: 10 });
        assert.ok(row);
        return { row, count: await store.countTakeOver(row) };
      };
      assert.equal((await takeOver()).count, 1);
      const { row, count } = await takeOver();
      assert.equal(count, 2);
      await store.append({ runId: run.id, epoch: row.leaseEpoch, events: journal(2, warned) });
      assert.equal((await takeOver()).count, 1);
      const last = await takeOver();
      assert.equal(last.count, 2);
      await store.releaseLeases(last.row.leaseOwner ?? "");
      assert.equal((await takeOver()).count, 1);
    });

    test("released leases are free at once, and their owner can no longer write", async (t) => {
      const { store } = await setUp(t);
      const [run, other] = [await createRun(store), await createRun(store, {}, 0, "p9")];
      await store.releaseLeases("p1");
      await assert.rejects(store.append({ runId: run.id, epoch: 1, events: journal(2, warned) }), LeaseLostError);
      await store.append({ runId: other.id, epoch: 1, events: journal(2, warned) });
      const claimed = await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10 });
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
      const claimed = await store.claimAbandoned({ owner: "p2", leaseMs, limit: 10 });
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
  });
});

type Store = ReturnType<typeof createRunStore>;

async function createRun(store: Store, fields: Partial<NewRun> = {}, offsetMs = 0, owner = "p1"): Promise<NewRun> {
  const run = { ...newRun(), ...fields };
  const events = journal(1, started(run)).map((event) => ({ ...event, at: event.at + offsetMs }));
  await store.create({ run, events, owner, leaseMs });
  return run;
}

function newRun(): NewRun {
  const ids = { id: randomUUID(), agentId: randomUUID(), agentVersionId: randomUUID() };
  return { ...ids, chatId: randomUUID(), sessionId: randomUUID(), chatType: "EXTERNAL", owner: "" };
}

/** Events numbered from `firstSeq`, a millisecond apart. */
function journal(firstSeq: number, ...bodies: RunEventBody[]): RunEvent[] {
  return bodies.map((body, index) => ({ ...body, seq: firstSeq + index, at: at + firstSeq + index }));
}

function started(run: NewRun): RunEventBody {
  const { agentId, agentVersionId, chatId, sessionId } = run;
  const messages = { userMessageId: `${run.id}-user`, apiMessageId: `${run.id}-api` };
  const session = { agentId, flowVersionId: agentVersionId, chatId, sessionId, chatType: "EXTERNAL" as const };
  return { type: "run-started", ...session, ...messages, input: { question: "?" }, depth: 0 };
}

/** Lets the leases of these runs end now. */
async function expire(database: Database, runs: readonly NewRun[]): Promise<void> {
  const ids = runs.map((run) => run.id);
  await database.write((tx) => tx.updateTable("runs").set({ leaseUntil: 1 }).where("id", "in", ids).execute());
}

function settings(database: Database) {
  return database.read.selectFrom("settings").selectAll().orderBy("name").execute();
}
