import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { createIdSource } from "@weft/database";
import { defaultBudget, type NoticeKind } from "@weft/schema";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { createNoticeKeeper } from "./notice-keeper.ts";
import { tellNotice } from "./notice-text.ts";
import { rowsOf } from "./testing/notice-rows.ts";

const minuteMs = 60_000;
const agentId = randomUUID();

/** Two processes that look at one database, and a clock that the test moves. */
async function setUp(t: TestContext, databases: TestDatabases) {
  const database = await databases.openTestDatabase(t as never);
  const at = { now: Date.parse("2026-03-01T12:00:00.000Z") };
  const clock = { now: () => at.now } as Parameters<typeof createNoticeKeeper>[0]["clock"];
  const budget = { ...defaultBudget, day: { ...defaultBudget.day, agent: { runs: 100 } } };
  const open = () =>
    createNoticeKeeper({
      ...{ database, clock, ids: createIdSource(clock.now) },
      thresholds: { failedRuns: 5, failedPercent: 20, waitingMs: 30 * minuteMs },
      findAgent: async (id) => (id === agentId ? { name: "Support", budget } : undefined),
    });
  const [keeper, other] = [open(), open()];
  const rows = () => database.read.selectFrom("notices").selectAll().orderBy("since").orderBy("id").execute();
  return {
    database,
    at,
    add: rowsOf(database),
    rows,
    /** Both look, some time later. */
    async later(ms = minuteMs) {
      at.now += ms;
      await Promise.all([keeper.round(), other.round()]);
    },
    /** What is open and what is over, of a kind. */
    async states(kind: NoticeKind) {
      const notices = (await rows()).filter((notice) => notice.kind === kind);
      return notices.map((notice) => `${notice.resolvedDate === null ? "open" : "resolved"} ${tellNotice(notice)}`);
    },
    queue: () => database.read.selectFrom("noticeQueue").selectAll().execute(),
  };
}

await forEachDatabase((databases) => {
  test("ten thousand failing runs make one notice for two processes, and it is over once the hour is", async (t) => {
    const { add, later, states, at, queue } = await setUp(t, databases);
    await add.channel();
    await add.runs(10_000, { agentId, at: at.now, status: "failed" });
    for (let round = 0; round < 4; round += 1) await later();
    assert.deepEqual(await states("failed-runs"), ["open “Support”: 2000 of 2000 runs failed in the last hour."]);
    assert.equal((await queue()).length, 1);
    await later(60 * minuteMs);
    assert.deepEqual(await states("failed-runs"), ["resolved “Support”: 2000 of 2000 runs failed in the last hour."]);
    await add.runs(5, { agentId, at: at.now, status: "failed" });
    await later();
    assert.equal((await states("failed-runs")).length, 2, "it fails again");
    assert.equal((await queue()).length, 2);
  });

  test("failed runs are noticed from five and a fifth, and until both have halved", async (t) => {
    const { add, later, states, at } = await setUp(t, databases);
    await add.runs(4, { agentId, at: at.now, status: "failed" });
    await add.runs(50, { agentId, at: at.now, status: "failed", chatType: "INTERNAL" });
    await later();
    assert.deepEqual(await states("failed-runs"), [], "too few, and those of the builder do not count");
    await add.runs(1, { agentId, at: at.now, status: "failed" });
    await add.runs(21, { agentId, at: at.now, status: "completed" });
    await later();
    assert.deepEqual(await states("failed-runs"), [], "too small a share");
    await add.runs(2, { agentId, at: at.now, status: "failed" });
    await later();
    assert.deepEqual(await states("failed-runs"), ["open “Support”: 7 of 28 runs failed in the last hour."]);
    await add.runs(40, { agentId, at: at.now, status: "completed" });
    await later();
    assert.deepEqual(await states("failed-runs"), ["open “Support”: 7 of 68 runs failed in the last hour."]);
    await add.runs(10, { agentId, at: at.now, status: "completed" });
    await later();
    assert.equal((await states("failed-runs"))[0]?.startsWith("resolved"), true);
  });

  test("a budget is noticed at four fifths and once it is spent, and the next day it is over", async (t) => {
    const { add, later, states } = await setUp(t, databases);
    const spend = (runs: number) => add.budget(`agent/${agentId}`, "2026-03-01", runs);
    await spend(79);
    await later();
    assert.deepEqual(await states("budget-near"), []);
    await spend(80);
    await later();
    assert.deepEqual(await states("budget-near"), ["open “Support” has used 80 % of today's budget for runs."]);
    await spend(100);
    await later();
    assert.deepEqual(await states("budget-near"), ["resolved “Support” has used 80 % of today's budget for runs."]);
    assert.deepEqual(await states("budget-spent"), ["open “Support” has used up today's budget for runs."]);
    await add.budget(`visitors/${agentId}`, "2026-03-01", 19_000);
    await later();
    assert.match((await states("budget-near")).join(), /open Visitors of “Support” have used 95 %/);
    await later(12 * 60 * minuteMs);
    assert.ok(
      [...(await states("budget-near")), ...(await states("budget-spent"))].every((state) => /^resolved/.test(state)),
    );
  });

  test("callbacks are noticed from their third failure, and until they arrive", async (t) => {
    const { add, later, states, at, database } = await setUp(t, databases);
    await add.delivery(agentId, at.now, { state: "PENDING", attempts: 2 });
    await later();
    assert.deepEqual(await states("callbacks-failing"), []);
    const id = await add.delivery(agentId, at.now, { state: "PENDING", attempts: 3 });
    await later();
    assert.deepEqual(await states("callbacks-failing"), ["open “Support”: a callback could not be delivered."]);
    await add.delivery(agentId, at.now, { state: "FAILED", attempts: 11 });
    await database.write((tx) =>
      tx.updateTable("callbackDeliveries").set({ state: "DELIVERED" }).where("id", "=", id).execute(),
    );
    await later();
    assert.deepEqual(await states("callbacks-failing"), ["open “Support”: a callback could not be delivered."]);
    await later(25 * 60 * minuteMs);
    assert.equal((await states("callbacks-failing"))[0]?.startsWith("resolved"), true, "given up a day ago");
  });

  test("a person is waited for after half an hour, until the run goes on", async (t) => {
    const { add, later, states, at, database } = await setUp(t, databases);
    await add.runs(2, { agentId, at: at.now, status: "suspended", asks: true });
    await add.runs(2, { agentId, at: at.now, status: "suspended" });
    await later(29 * minuteMs);
    assert.deepEqual(await states("person-awaited"), []);
    await later();
    assert.deepEqual(await states("person-awaited"), ["open “Support”: 2 runs have been waiting for a person."]);
    await database.write((tx) => tx.updateTable("runs").set({ status: "completed" }).execute());
    await later();
    assert.equal((await states("person-awaited"))[0]?.startsWith("resolved"), true);
  });

  test("a person is asked for at once, until someone takes the conversation over", async (t) => {
    const { later, states, database } = await setUp(t, databases);
    const key = (chatId: string) => ({ agentId, chatId, owner: "anonymous" });
    const asked = { askedDate: "2026-01-01T00:00:00.000Z", askedReason: "Secret words." };
    const rest = {
      takenBy: null,
      takenOwner: null,
      takenName: "",
      takenDate: null,
      labels: "[]",
      note: "",
      events: "[]",
    };
    const rows = ["a", "b", "c"].map((chatId) => ({ ...key(chatId), ...rest, ...asked }));
    await database.write((tx) => tx.insertInto("conversations").values(rows).execute());
    await later();
    assert.deepEqual(await states("hand-over"), ["open “Support”: 3 conversations ask for a person."]);
    await database.write((tx) => tx.updateTable("conversations").set({ askedDate: null }).execute());
    await later();
    assert.equal((await states("hand-over"))[0]?.startsWith("resolved"), true);
  });

  test("a document store is noticed while one of its sources fails", async (t) => {
    const { add, later, states, database } = await setUp(t, databases);
    const storeId = await add.store("Handbook");
    await add.loader(storeId, "");
    await later();
    assert.deepEqual(await states("store-failing"), []);
    const id = await add.loader(storeId, "The words of https://secret.example could not be read.");
    await later();
    assert.deepEqual(await states("store-failing"), ["open “Handbook”: a source could not be brought up to date."]);
    await database.write((tx) => tx.updateTable("documentLoaders").set({ error: "" }).where("id", "=", id).execute());
    await later();
    assert.equal((await states("store-failing"))[0]?.startsWith("resolved"), true);
  });

  test("a schedule is noticed when a moment was missed, refused or failed, until one succeeds", async (t) => {
    const { add, later, states, at } = await setUp(t, databases);
    await add.schedule(agentId, at.now);
    const [good = ""] = await add.runs(1, { agentId, at: at.now, status: "completed" });
    await add.firing(agentId, at.now - 3, { state: "begun", runId: good });
    await later();
    assert.deepEqual(await states("schedule-failing"), []);
    await add.firing(agentId, at.now, { state: "skipped" });
    await later();
    assert.deepEqual(await states("schedule-failing"), [
      "open “Support”: the last scheduled run was missed or failed.",
    ]);
    const [bad = ""] = await add.runs(1, { agentId, at: at.now, status: "failed" });
    await add.firing(agentId, at.now, { state: "begun", runId: bad });
    await add.firing(agentId, at.now + 1, { state: "pending" });
    await later();
    assert.deepEqual(await states("schedule-failing"), [
      "open “Support”: the last 2 scheduled runs were missed or failed.",
    ]);
    await add.firing(agentId, at.now, { state: "begun", runId: good });
    await later();
    assert.equal((await states("schedule-failing"))[0]?.startsWith("resolved"), true);
  });

  test("a channel that was given up is noticed, in every channel but itself", async (t) => {
    const { add, later, states, queue, database } = await setUp(t, databases);
    const broken = await add.channel({ givenUpDate: "2026-03-01T00:00:00.000Z" });
    const other = await add.channel();
    await add.channel({ kinds: '["budget-near"]' });
    await add.channel({ agents: JSON.stringify([agentId]) });
    await add.channel({ isEnabled: 0 });
    await later();
    assert.deepEqual(await states("channel-failing"), ["open “Ops”: notices could not be sent for a day."]);
    assert.deepEqual(
      (await queue()).map(({ channelId }) => channelId),
      [other],
    );
    await database.write((tx) =>
      tx.updateTable("noticeChannels").set({ givenUpDate: null }).where("id", "=", broken).execute(),
    );
    await later();
    assert.equal((await states("channel-failing"))[0]?.startsWith("resolved"), true);
  });

  test("an agent that is gone has no notices, and resolved ones are kept for thirty days", async (t) => {
    const { add, later, rows, at } = await setUp(t, databases);
    await add.runs(5, { agentId: randomUUID(), at: at.now, status: "failed" });
    await add.runs(5, { agentId, at: at.now, status: "failed" });
    await later();
    assert.deepEqual(
      (await rows()).map(({ agentId: id }) => id),
      [agentId],
    );
    await later(61 * minuteMs);
    await later(29 * 24 * 60 * minuteMs);
    assert.equal((await rows()).length, 1);
    await later(2 * 24 * 60 * minuteMs);
    assert.equal((await rows()).length, 0);
  });

  test("of all processes one looks in half a minute, also after the clock was set back", async (t) => {
    const { add, later, rows, at } = await setUp(t, databases);
    await later();
    await add.runs(5, { agentId, at: at.now, status: "failed" });
    await later(20_000);
    assert.equal((await rows()).length, 0, "someone looked less than half a minute ago");
    at.now -= 60 * minuteMs;
    await later(0);
    assert.equal((await rows()).length, 1, "an hour earlier it looks at once");
  });
});
