import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { Database } from "@weft/database";
import { everything, type Reach } from "@weft/http/identity";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import type { RunRow } from "../run-tables.ts";
import { noAgentId } from "../share-of.ts";
import { createStatsService } from "./stats.service.ts";

const now = Date.parse("2026-03-10T12:30:00.000Z");
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const agentId = randomUUID();

function runOf({ endedDate, ...changes }: Partial<RunRow> & { endedDate: string }): RunRow {
  const ids = { id: randomUUID(), agentId, agentVersionId: "v", chatId: "c", sessionId: "s", chatType: "EXTERNAL" };
  const lease = { lastSeq: 2, leaseEpoch: 1, leaseOwner: null, leaseUntil: 0, cancelRequested: 0, turnOrder: null };
  const dates = { createdDate: endedDate, updatedDate: endedDate, stoppedDate: endedDate };
  const rest = { errorCode: null, summary: null, owner: "account:o", takeOvers: 0, takeOverSeq: 0, dueAt: null };
  const used = { durationMs: 1_000, totalTokens: 10, costNanos: 2_000_000 };
  return { ...ids, ...lease, ...dates, ...rest, ...used, status: "completed", ...changes };
}

function agentOf(id: string) {
  const settings = { chatbotConfig: "{}", apiConfig: "{}", analytic: "{}", speechToText: "{}", category: "" };
  const dates = { createdDate: minutesAgo(60), updatedDate: minutesAgo(60) };
  const flow = { flowData: "{}", versionId: randomUUID(), type: "AGENTFLOW" };
  return { id, name: "Agent", deployed: 0, isPublic: 0, apikeyid: "", ...settings, ...dates, ...flow };
}

async function statsOf(database: Database, rows: readonly RunRow[]) {
  await database.write((tx) => tx.insertInto("runs").values(rows).execute());
  const listExecutions = async () => ({ data: [], total: 0 });
  return createStatsService(database.read, listExecutions, () => now);
}

await forEachDatabase(({ openTestDatabase }) => {
  describe("statistics of runs", () => {
    test("count what ended or paused in whole hours up to now, and none of the platform's own work", async (t) => {
      const stats = await statsOf(await openTestDatabase(t), [
        runOf({ endedDate: minutesAgo(10) }),
        runOf({ endedDate: minutesAgo(40), status: "failed", costNanos: null }),
        runOf({ endedDate: minutesAgo(45), status: "suspended", durationMs: null, totalTokens: null, costNanos: null }),
        runOf({ endedDate: minutesAgo(5), status: "running" }),
        runOf({ endedDate: minutesAgo(7), agentId: noAgentId }),
        runOf({ endedDate: minutesAgo(25 * 60) }),
        runOf({ endedDate: minutesAgo(40 * 24 * 60) }),
        // The clock of another process may be ahead.
        runOf({ endedDate: minutesAgo(-90) }),
      ]);
      const day = await stats.get({ range: "24h", agentId: undefined, reach: everything });
      assert.deepEqual([day.runs, day.failures, day.running, day.totalTokens], [4, 1, 1, 30]);
      assert.equal(day.costDollars, 0.004);
      assert.equal(day.unpricedRuns, 1);
      assert.deepEqual(day.volume.at(-1), { startDate: "2026-03-10T12:00:00.000Z", runs: 2, failures: 0 });
      assert.deepEqual(day.volume.at(-2), { startDate: "2026-03-10T11:00:00.000Z", runs: 2, failures: 1 });
      assert.equal(day.volume[0]?.startDate, "2026-03-09T13:00:00.000Z");
      assert.equal(
        day.volume.reduce((sum, { runs }) => sum + runs, 0),
        4,
      );
      assert.deepEqual(day.agents, [{ agentflowId: agentId, agentName: null, runs: 4, failures: 1, totalTokens: 30 }]);
      const week = await stats.get({ range: "7d", agentId: undefined, reach: everything });
      assert.equal(week.runs, 5);
      assert.equal(week.volume.at(-5)?.runs, 1);
      assert.equal((await stats.get({ range: "30d", agentId: randomUUID(), reach: everything })).runs, 0);
    });

    test("95 of 100 runs take at most p95; runs that were cancelled or wait do not count", async (t) => {
      const rows = Array.from({ length: 100 }, (_, index) =>
        runOf({ endedDate: minutesAgo(index), durationMs: (index + 1) * 10 }),
      );
      const stats = await statsOf(await openTestDatabase(t), [
        ...rows,
        runOf({ endedDate: minutesAgo(1), status: "cancelled", durationMs: 1e9 }),
        runOf({ endedDate: minutesAgo(1), status: "suspended", durationMs: null }),
      ]);
      const { p95DurationMs } = await stats.get({ range: "24h", agentId: undefined, reach: everything });
      assert.equal(p95DurationMs, 950);
    });

    test("list the ten busiest agents, and those within reach alone", async (t) => {
      const agents = Array.from({ length: 12 }, () => randomUUID());
      const rows = agents.flatMap((id, index) =>
        Array.from({ length: index + 1 }, () => runOf({ endedDate: minutesAgo(3), agentId: id })),
      );
      const stats = await statsOf(await openTestDatabase(t), rows);
      const all = await stats.get({ range: "24h", agentId: undefined, reach: everything });
      assert.deepEqual(
        all.agents.map(({ agentflowId }) => agentflowId),
        agents.toReversed().slice(0, 10),
      );
      const [few = "", more = ""] = agents;
      const reach = { owners: "all", agents: new Set([few, more]) } as const;
      const limited = await stats.get({ range: "24h", agentId: undefined, reach });
      assert.equal(limited.runs, 3);
      const foreign = { owners: ["account:other"], agents: "all" } as const;
      assert.equal((await stats.get({ range: "24h", agentId: undefined, reach: foreign })).runs, 0);
    });

    test("list the week of every agent that ever ran with its last run, running ones included", async (t) => {
      const [busy, old, unused, active] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
      const database = await openTestDatabase(t);
      await database.write((tx) =>
        tx
          .insertInto("agents")
          .values([busy, old, unused, active].map((id) => agentOf(id)))
          .execute(),
      );
      const timedOut = { status: "failed", errorCode: "flow-timeout", owner: "client:c" };
      const last = runOf({ endedDate: minutesAgo(10), agentId: busy, ...timedOut });
      const waiting = runOf({ endedDate: minutesAgo(20 * 24 * 60), agentId: old, status: "suspended" });
      const running = runOf({ endedDate: minutesAgo(1), agentId: active, status: "running" });
      const stats = await statsOf(database, [
        runOf({ endedDate: minutesAgo(6 * 24 * 60), agentId: busy }),
        runOf({ endedDate: minutesAgo(30 * 60), agentId: busy }),
        last,
        // The clock of another process may be ahead.
        runOf({ endedDate: minutesAgo(-90), agentId: old }),
        { ...waiting, updatedDate: minutesAgo(-91) },
        runOf({ endedDate: minutesAgo(8 * 24 * 60), agentId: active }),
        running,
        // Of an agent that was deleted.
        runOf({ endedDate: minutesAgo(2) }),
        runOf({ endedDate: minutesAgo(2), agentId: noAgentId }),
      ]);
      const byId = async (reach: Reach) =>
        new Map((await stats.listByAgent(reach)).map(({ agentflowId, ...rest }) => [agentflowId, rest]));
      const all = await byId(everything);
      assert.deepEqual([...all.keys()].sort(), [busy, old, active].sort());
      const week = all.get(busy);
      assert.deepEqual(
        week?.volume.map(({ runs, failures }) => [runs, failures]),
        [[1, 0], ...Array.from({ length: 4 }, () => [0, 0]), [1, 0], [1, 1]],
      );
      assert.equal(week?.volume[0]?.startDate, "2026-03-03T13:00:00.000Z");
      assert.deepEqual([week?.runs, week?.failures], [3, 1]);
      assert.deepEqual(week?.lastRun, { id: last.id, state: "TIMEOUT", updatedDate: last.updatedDate });
      assert.equal(all.get(old)?.volume.at(-1)?.runs, 2);
      assert.equal(all.get(old)?.lastRun.state, "STOPPED");
      assert.deepEqual([all.get(active)?.runs, all.get(active)?.lastRun.id], [0, running.id]);
      assert.equal(all.get(active)?.lastRun.state, "INPROGRESS");

      assert.deepEqual([...(await byId({ owners: "all", agents: new Set([old, unused]) })).keys()], [old]);
      const own = await byId({ owners: ["client:c"], agents: "all" });
      assert.deepEqual(
        [...own].map(([id, { runs }]) => [id, runs]),
        [[busy, 1]],
      );
    });
  });
});
