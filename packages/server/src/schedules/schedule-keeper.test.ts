import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { Database } from "@weft/database";
import { compileFlow } from "@weft/engine";
import { createLogger } from "@weft/http/logger";
import { nodeRegistry } from "@weft/nodes";
import { WeftError } from "@weft/schema";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import type { Context } from "../context.ts";
import type { Services } from "../feature.ts";
import type { Message, PredictionService } from "../predictions/index.ts";
import { createScheduleService } from "./schedule.service.ts";
import { createScheduleKeeper } from "./schedule-keeper.ts";

const minuteMs = 60_000;
const flowOf = (schedule: object) =>
  JSON.stringify({
    weft: 1,
    nodes: [{ id: "start_0", type: "start", config: { input: "schedule", schedule } }],
    edges: [],
  });

/** One agent, and two processes with its schedule, on one database. What they begin is `asked`. */
async function setUp(t: TestContext, databases: TestDatabases, schedule: object = { cron: "* * * * *" }) {
  const storage = await databases.createTestStorage(t as never);
  const first = await storage.open();
  // A folder with SQLite belongs to one process.
  const second = databases.name === "postgres" ? await storage.open() : first;
  const agentId = randomUUID();
  const asked: Message[] = [];
  let now = Date.parse("2026-01-01T00:00:30.000Z");
  let flowData = flowOf(schedule);
  let failure: (() => Error) | undefined;
  let elapsed = 0;
  const announced: number[] = [];
  const clock = { now: () => now, elapsed: () => elapsed };
  const logger = createLogger({ level: "silent", write: () => undefined, now: () => now });
  const predictions: Partial<PredictionService> = {
    async admit(message) {
      if (failure) throw failure();
      if (asked.every(({ runId }) => runId !== message.runId)) asked.push(message);
      return {} as never;
    },
  };
  const needs = {
    predictions,
    runnables: {
      getForRun: async () => ({ agent: {} as never, versionId: "v", flowData }),
      compile: (_: string, text: string) => compileFlow(text, nodeRegistry),
    },
    runHost: { due: { announce: (at?: number) => void announced.push(at ?? 0) } },
    variables: { all: async () => ({ name: "Ada" }) },
  } as unknown as Services;
  const contextOf = (database: Database) => {
    const config = { minScheduleIntervalMs: minuteMs };
    return { database, clock, logger, ids: { uuid: randomUUID }, config } as unknown as Context;
  };
  const service = createScheduleService(contextOf(first), needs);
  const open = (database: Database) => createScheduleKeeper(contextOf(database), needs);
  const keepers = [open(first), open(second)];
  const save = async (next: object) => {
    flowData = flowOf(next);
    await first.write((tx) => service.sync(tx, { id: agentId, versionId: randomUUID(), flowData }));
  };
  await save(schedule);
  return {
    agentId,
    asked,
    announced,
    service,
    save,
    /** One round of both processes, some time later. */
    async later(ms: number) {
      now += ms;
      elapsed += ms;
      await Promise.all(keepers.map((keeper) => keeper.round()));
    },
    /** Sets the clock of the machine, which passes no time, between two rounds. */
    async setClock(byMs: number) {
      now += byMs;
      await Promise.all(keepers.map((keeper) => keeper.round()));
    },
    fail(next: (() => Error) | undefined) {
      failure = next;
    },
    firings: () => first.read.selectFrom("scheduleFirings").selectAll().orderBy("dueDate").execute(),
    nextDate: async () => (await service.status(agentId)).record?.nextRunDate,
  };
}

await forEachDatabase((databases) => {
  test("moments are fired once each by two processes", { timeout: 120_000 }, async (t) => {
    const api = await setUp(t, databases);
    for (let count = 0; count < 250; count += 1) await api.later(minuteMs);
    assert.equal(api.asked.length, 250);
    const firings = await api.firings();
    assert.equal(firings.length, 250);
    assert.ok(firings.every(({ state }) => state === "begun"));
    assert.deepEqual(new Set(firings.map(({ runId }) => runId)), new Set(api.asked.map(({ runId }) => runId)));
    assert.equal(firings[0]?.dueDate, "2026-01-01T00:01:00.000Z");
    assert.equal(firings.at(-1)?.dueDate, "2026-01-01T04:10:00.000Z");
  });

  test("nothing happens before it is due; each run has a chat of its own and the question of the schedule", async (t) => {
    const api = await setUp(t, databases, {
      cron: "0 9 * * *",
      question: "{{ $vars.name }} at {{ current_date_time }}",
    });
    await api.later(8 * 60 * minuteMs);
    assert.equal(api.asked.length, 0);
    await api.later(60 * minuteMs);
    const [ask] = api.asked;
    assert.deepEqual(ask?.request, { chatId: ask?.runId, question: "Ada at 2026-01-01T09:00:30.000Z" });
    await api.save({ cron: "0 9 * * *", form: { city: "Ulm" } });
    await api.later(24 * 60 * minuteMs);
    assert.deepEqual(api.asked[1]?.request.form, { city: "Ulm" });
    assert.equal(api.asked[1]?.request.question, undefined);
  });

  test("what was missed is skipped, or made up for once where the schedule says so", async (t) => {
    const skipping = await setUp(t, databases);
    await skipping.later(5 * 60 * minuteMs);
    // Within five minutes the latest moment counts as on time.
    assert.equal(skipping.asked.length, 1);
    const hourly = await setUp(t, databases, { cron: "0 * * * *" });
    await hourly.later(5 * 60 * minuteMs + 20 * minuteMs);
    assert.equal(hourly.asked.length, 0);
    const [skipped] = await hourly.firings();
    assert.deepEqual([skipped?.state, skipped?.dueDate], ["skipped", "2026-01-01T05:00:00.000Z"]);
    await hourly.later(40 * minuteMs);
    assert.equal(hourly.asked.length, 1);
    const catching = await setUp(t, databases, { cron: "0 * * * *", catchUp: "latest" });
    await catching.later(5 * 60 * minuteMs + 20 * minuteMs);
    assert.equal(catching.asked.length, 1);
    assert.equal((await catching.firings())[0]?.dueDate, "2026-01-01T05:00:00.000Z");
  });

  test("a firing that could not begin is begun later, under the same id", async (t) => {
    const api = await setUp(t, databases);
    api.fail(() => new WeftError("at-capacity", { params: { limit: 1, retryAfterSeconds: 1 } }));
    await api.later(minuteMs);
    const [pending] = await api.firings();
    assert.equal(pending?.state, "pending");
    api.fail(() => new Error("A fault."));
    await api.later(16_000);
    assert.equal((await api.firings())[0]?.state, "pending");
    api.fail(undefined);
    await api.later(1_000);
    assert.deepEqual(
      api.asked.map(({ runId }) => runId),
      [pending?.runId],
    );
    assert.equal((await api.firings())[0]?.state, "begun");
  });

  test("a firing whose run began before its process ended is not begun again", async (t) => {
    const api = await setUp(t, databases);
    api.fail(() => new Error("The process ends here."));
    await api.later(minuteMs);
    const [pending] = await api.firings();
    api.asked.push({ runId: pending?.runId } as Message);
    api.fail(undefined);
    await api.later(16_000);
    assert.equal(api.asked.length, 1);
    assert.equal((await api.firings())[0]?.state, "begun");
  });

  test("a firing that nobody could begin for long is given up, and what is refused says why", async (t) => {
    const api = await setUp(t, databases, { cron: "0 * * * *" });
    api.fail(() => new WeftError("at-capacity", { params: { limit: 1, retryAfterSeconds: 1 } }));
    await api.later(60 * minuteMs);
    await api.later(6 * minuteMs);
    api.fail(() => new WeftError("flow-invalid", { params: { reason: "It is broken." } }));
    await api.later(54 * minuteMs);
    const firings = await api.firings();
    assert.deepEqual(
      firings.map(({ state }) => state),
      ["skipped", "refused"],
    );
    assert.match(firings[1]?.message ?? "", /It is broken/);
    assert.equal(api.asked.length, 0);
  });

  test("a save keeps the moment that is due, another timing makes a new one, a switch holds through saves", async (t) => {
    const api = await setUp(t, databases, { cron: "0 * * * *" });
    assert.equal(await api.nextDate(), "2026-01-01T01:00:00.000Z");
    assert.deepEqual(api.announced, [Date.parse("2026-01-01T01:00:00.000Z")]);
    await api.save({ cron: "0 * * * *", question: "new" });
    assert.equal(await api.nextDate(), "2026-01-01T01:00:00.000Z");
    await api.save({ cron: "30 * * * *" });
    assert.equal(await api.nextDate(), "2026-01-01T00:30:00.000Z");
    await api.service.setEnabled(api.agentId, false);
    await api.save({ cron: "15 * * * *" });
    await api.save({ cron: "bad" });
    await api.save({ cron: "15 * * * *" });
    await api.later(60 * minuteMs);
    assert.equal(api.asked.length, 0);
    assert.equal((await api.service.setEnabled(api.agentId, true)).nextRunDate, "2026-01-01T01:15:00.000Z");
    await api.later(15 * minuteMs);
    assert.equal(api.asked.length, 1);
    assert.equal(api.announced.at(-1), Date.parse("2026-01-01T02:15:00.000Z"));
  });

  test("a clock that is set back silences no schedule", async (t) => {
    const api = await setUp(t, databases);
    for (let count = 0; count < 90; count += 1) await api.later(minuteMs);
    assert.equal(api.asked.length, 90);
    await api.setClock(-60 * minuteMs);
    for (let count = 0; count < 90; count += 1) await api.later(minuteMs);
    assert.equal(api.asked.length, 180);
    assert.equal((await api.firings()).length, 180);
  });

  test("a clock that is set forward and back again causes no burst, and loses nothing afterwards", async (t) => {
    const api = await setUp(t, databases);
    for (let count = 0; count < 10; count += 1) await api.later(minuteMs);
    await api.setClock(24 * 60 * minuteMs);
    for (let count = 0; count < 10; count += 1) await api.later(minuteMs);
    await api.setClock(-24 * 60 * minuteMs);
    for (let count = 0; count < 10; count += 1) await api.later(minuteMs);
    // Ten a piece, and the latest of those that the clock leapt over.
    assert.equal(api.asked.length, 31);
  });

  test("a clock that is set back fires no moment again whose time has not come again", async (t) => {
    const api = await setUp(t, databases, { cron: "0 9 * * *" });
    await api.later(9 * 60 * minuteMs);
    assert.equal(api.asked.length, 1);
    await api.later(30 * minuteMs);
    await api.setClock(-60 * minuteMs);
    for (let count = 0; count < 60; count += 1) await api.later(minuteMs);
    assert.equal(api.asked.length, 1);
    await api.later(24 * 60 * minuteMs - 30 * minuteMs);
    assert.equal(api.asked.length, 2);
  });

  test("a firing that could not begin is begun later, also when the clock is set back", async (t) => {
    const api = await setUp(t, databases);
    api.fail(() => new Error("A fault."));
    await api.later(minuteMs);
    api.fail(undefined);
    await api.setClock(-60 * minuteMs);
    await api.later(16_000);
    assert.equal(api.asked.length, 1);
  });

  test("a schedule that ends fires no more", async (t) => {
    const api = await setUp(t, databases, { cron: "0 * * * *", endDate: "2026-01-01T01:30:00.000Z" });
    await api.later(60 * minuteMs);
    assert.equal(await api.nextDate(), null);
    for (let count = 0; count < 3; count += 1) await api.later(60 * minuteMs);
    assert.equal(api.asked.length, 1);
  });
});
