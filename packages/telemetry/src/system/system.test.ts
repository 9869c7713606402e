import assert from "node:assert/strict";
import { hostname } from "node:os";
import { type TestContext, test } from "node:test";
import type { Database } from "@weft/database";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import { type System, toMoment } from "@weft/schema";
import {
  findPostgresProblem,
  onTestDatabase,
  openTestStorage,
  type TestDatabases,
} from "../../../database/src/testing/test-databases.ts";
import { hasRedis, startTestRedis } from "../../../run-host/src/dispatch/testing/test-redis.ts";
import { openScriptedPlatform, scriptedModelEnv } from "../../../server/src/testing/scripted-model.ts";
import {
  agentWith,
  flowOf,
  llmFlow,
  openRestartable,
  openTestPlatform,
  type TestPlatform,
} from "../../../server/src/testing/test-platform.ts";
import { startReceiver } from "../../../server/src/webhooks/testing/receiver.ts";
import { open, webhookAgent } from "../../../server/src/webhooks/testing/webhook-agent.ts";
import { scrape } from "../testing/scrape.ts";

const look = (platform: Pick<TestPlatform, "json">) => platform.json<System>("GET", "/system");

/** A platform, and the database below it. */
async function openWithDatabase(t: TestContext, databases: TestDatabases) {
  let database: Database | undefined;
  const wrapDatabase = (opened: Database) => {
    database = opened;
    return opened;
  };
  const platform = await openScriptedPlatform(t, databases, () => ({ text: "Hello." }), { wrapDatabase });
  assert.ok(database);
  return { platform, database: database as Database };
}

await onTestDatabase((databases) => {
  test("one process shows itself, its database and its disk, and nothing is wrong", async (t) => {
    const platform = await openTestPlatform(t, databases, { MAX_CONCURRENT_RUNS: "7" });
    const { processes, queue, takeOvers, database, redis, disk, callbacks } = await look(platform);
    assert.equal(processes.length, 1);
    const { role, version, host, pid, runs, maxRuns, answered, ...other } = processes[0] as System["processes"][0];
    assert.deepEqual(
      { role, host, pid, runs, maxRuns, answered },
      { role: "all", host: hostname(), pid: process.pid, runs: 0, maxRuns: 7, answered: true },
    );
    assert.equal(version, (await platform.json<{ version: string }>("GET", "/version")).version);
    assert.ok(other.memoryBytes > 1e6);
    assert.ok(Math.abs(Date.parse(other.startedDate) - Date.now()) < 60_000);
    assert.deepEqual(queue, { waiting: 0, oldestWaitingSeconds: 0, running: 0, paused: 0, agents: [] });
    assert.deepEqual(takeOvers, { runs: 0, latest: null });
    assert.deepEqual(callbacks, { failing: 0, list: [] });
    assert.equal(redis, "off");
    assert.ok(disk !== null && disk.freeBytes > 0 && disk.usedBytes > 0);
    assert.equal(database.dialect, databases.name);
    assert.match(database.version, /^\d+\.\d+[\w.]*$/);
    assert.ok(database.sizeBytes > 10_000 && database.latencyMs >= 0);
    assert.equal(database.connections === null, databases.name === "sqlite");
    if (database.connections !== null) {
      assert.ok(database.connections.used > 0 && database.connections.used <= database.connections.limit);
    }
  });

  test("it needs the permission, and a key that is limited to agents sees no others", async (t) => {
    const { platform, database } = await openWithDatabase(t, databases);
    const statusOf = async (token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await platform.fetch(new Request("http://platform/api/v1/system", { headers }))).status;
    };
    const keyWith = async (more: object) =>
      (await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "Key", ...more })).apiKey;
    const [mine, other] = [await agentWith(platform, llmFlow()), await agentWith(platform, llmFlow())];
    await platform.ask(mine, { question: "Hello?" });
    await platform.ask(other, { question: "Hello?" });
    // As if both had been left by a process that is gone, and not begun again.
    await database.write((tx) =>
      tx.updateTable("runs").set({ status: "suspended", takeOvers: 1, leaseOwner: null }).execute(),
    );
    await database.write((tx) =>
      tx.updateTable("runs").set({ status: "running", leaseOwner: "nobody", leaseUntil: 9e15 }).execute(),
    );
    assert.equal(await statusOf(), 401);
    assert.equal(await statusOf("wk_unknown"), 401);
    assert.equal(await statusOf(await keyWith({ permissions: ["agents:read"] })), 403);
    const limited = await keyWith({ permissions: ["server:read"], agents: [mine] });
    assert.equal(await statusOf(limited), 200);
    const headers = { authorization: `Bearer ${limited}` };
    const seen = (await (await platform.send("GET", "/system", undefined, headers)).json()) as System;
    assert.deepEqual(
      seen.queue.agents.map(({ agentflowId }) => agentflowId),
      [mine],
    );
    assert.equal(seen.queue.running, 2);
    assert.equal(seen.takeOvers.runs, 2);
    assert.equal((await look(platform)).queue.agents.length, 2);
  });

  test("the queue is counted, by agent, with the age of the oldest run that waits", async (t) => {
    const model = await createScriptedOpenAiServer({ script: () => ({ hang: true }) });
    t.after(() => model.close());
    const server = await openRestartable(t, databases, { ...scriptedModelEnv(model), MAX_CONCURRENT_RUNS: "1" });
    const platform = await server.open();
    const agent = await agentWith(platform, llmFlow(), { name: "Slow" });
    const asked = [1, 2, 3].map((number) =>
      platform.send("POST", `/prediction/${agent}`, { question: `Question ${number}` }).catch(() => undefined),
    );
    const seen = await platform.until(async () => {
      const system = await look(platform);
      return system.queue.waiting === 2 && system.queue.running === 1 ? system : undefined;
    });
    assert.deepEqual(seen.queue.agents, [{ agentflowId: agent, agentName: "Slow", waiting: 2, running: 1 }]);
    assert.ok(seen.queue.oldestWaitingSeconds >= 0 && seen.queue.oldestWaitingSeconds < 60);
    const process = seen.processes.find(({ answered }) => answered);
    assert.deepEqual([process?.runs, process?.maxRuns], [3, 1]);
    await server.close();
    await Promise.all(asked);
  });

  test("vectors in memory are shown once something was searched, here and as metrics, without their stores", async (t) => {
    const platform = await openTestPlatform(t, databases, { VECTOR_MEMORY: "64mb" });
    const nothing = { memoryBytes: 0, limitBytes: 64 * 1_024 ** 2, collections: 0, loading: null };
    assert.deepEqual((await look(platform)).vectorIndex, nothing);
    const { id } = await platform.json<{ id: string }>("POST", "/document-store/store", { name: "Handbook" });
    const loader = { name: "plainText", config: { text: "Refunds take five days." } };
    await platform.json("POST", `/document-store/upsert/${id}`, { loader });
    await platform.json("POST", "/document-store/vectorstore/query", { storeId: id, query: "refunds", mode: "vector" });
    const { memoryBytes, ...index } = await platform.until(async () => {
      const { vectorIndex } = await look(platform);
      return vectorIndex.collections > 0 ? vectorIndex : undefined;
    });
    assert.deepEqual(index, { limitBytes: nothing.limitBytes, collections: 1, loading: null });
    assert.ok(memoryBytes > 384, `${memoryBytes}`);
    const { samples, text } = await scrape(platform);
    const names = ["bytes", "limit_bytes", "collections", "loaded_ratio"];
    const read = names.map((name) => samples.get(`weft_vector_index_${name}`));
    assert.deepEqual(read, [memoryBytes, nothing.limitBytes, 1, 1]);
    assert.doesNotMatch(text, /Handbook/);
    assert.ok(!text.includes(id));
  });

  test("a run that asks a person is paused, and no longer once it is answered", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await agentWith(platform, flowOf("human-input", "Ask", { question: "May I?" }));
    const asked = await platform.json<{ chatId: string }>("POST", `/prediction/${agent}`, { question: "Please" });
    const counts = async () => {
      const { waiting, running, paused } = (await look(platform)).queue;
      return { waiting, running, paused };
    };
    assert.deepEqual(await counts(), { waiting: 0, running: 0, paused: 1 });
    const answer = { chatId: asked.chatId, humanInput: { type: "proceed" } };
    await platform.json("POST", `/prediction/${agent}`, answer);
    assert.deepEqual(await counts(), { waiting: 0, running: 0, paused: 0 });
  });

  test("runs that were taken over are counted for a day, the latest by its agent", async (t) => {
    const { platform, database } = await openWithDatabase(t, databases);
    const agent = await agentWith(platform, llmFlow());
    const ids: string[] = [];
    for (const question of ["One", "Two", "Three", "Four"]) {
      ids.push((await platform.ask<{ executionId: string }>(agent, { question })).executionId);
    }
    const [old = "", first = "", last = ""] = ids;
    const takeOver = (id: string, hoursAgo: number) =>
      database.write((tx) =>
        tx
          .updateTable("runs")
          .set({ takeOvers: 2, updatedDate: toMoment(Date.now() - hoursAgo * 3_600_000) })
          .where("id", "=", id)
          .execute(),
      );
    await takeOver(old, 25);
    await takeOver(first, 23);
    await takeOver(last, 2);
    const { takeOvers } = await look(platform);
    assert.equal(takeOvers.runs, 2);
    assert.deepEqual([takeOvers.latest?.executionId, takeOvers.latest?.agentName], [last, "Agent"]);
    assert.ok(Math.abs(Date.parse(takeOvers.latest?.updatedDate ?? "") - Date.now() + 2 * 3_600_000) < 60_000);
  });

  test("a failing callback is shown by its host alone, and is gone once it was sent again", async (t) => {
    const receiver = await startReceiver(t, 503);
    const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: receiver.host });
    const webhook = { ...open, response: "async", callbackUrl: `${receiver.url}/T0KEN?key=hidden` };
    const { id, send } = await webhookAgent(platform, webhook, "Done.", { name: "Orders" });
    assert.equal((await send({ body: "{}" })).status, 202);
    const [failing, all] = await platform.until(async () => {
      const { callbacks } = await look(platform);
      return callbacks.list[0] && ([callbacks.list[0], callbacks] as const);
    });
    assert.equal(all.failing, 1);
    const { id: deliveryId, executionId, nextDate, attemptDate, ...facts } = failing;
    assert.deepEqual(facts, {
      agentflowId: id,
      agentName: "Orders",
      host: receiver.host,
      state: "PENDING",
      attempts: 1,
      lastStatus: 503,
      error: "The receiver answered 503.",
    });
    assert.ok(nextDate !== null && attemptDate !== null && Date.parse(nextDate) > Date.parse(attemptDate));
    assert.doesNotMatch(JSON.stringify(all), /T0KEN|hidden/);
    const again = await platform.json<{ state: string; error: string | null; attempts: number }>(
      "POST",
      `/chatflows/${id}/deliveries/${deliveryId}/resend`,
    );
    assert.deepEqual([again.state, again.error, again.attempts], ["PENDING", null, 0]);
    const delivered = await platform.until(async () => {
      const path = `/chatflows/${id}/deliveries?executionId=${executionId}`;
      const [delivery] = (await platform.json<{ data: { state: string; attempts: number }[] }>("GET", path)).data;
      return delivery?.state === "DELIVERED" ? delivery : undefined;
    });
    assert.equal(delivered.attempts, 1);
    assert.equal(receiver.received.length, 2);
    assert.deepEqual((await look(platform)).callbacks, { failing: 0, list: [] });
  });
});

const problem = await findPostgresProblem();
if (problem !== undefined && process.env.TEST_POSTGRES_REQUIRED === "1") throw new Error(problem);

/** Two processes on one database, which close before it is removed. `stop` closes the worker. */
async function openTwo(t: TestContext, env: Record<string, string> = {}) {
  const closers: (() => Promise<void>)[] = [];
  const after = (closer: unknown) => void closers.push(closer as () => Promise<void>);
  t.after(async () => {
    for (const closer of closers) await closer();
  });
  const storage = await openTestStorage("postgres", t);
  const here = { createTestStorage: async () => storage };
  const api = await openTestPlatform({ after }, here, { ...env, ROLE: "api" });
  const worker = await openTestPlatform({ after }, here, { ...env, ROLE: "worker", WORKER_CONCURRENCY: "5" });
  const startThird = () => openTestPlatform({ after }, here, { ...env, ROLE: "worker" });
  return { storage, api, worker, stop: () => closers[1]?.(), startThird };
}

test("processes on one database see each other, until one stops", { skip: problem }, async (t) => {
  const { storage, api, worker, stop } = await openTwo(t);
  const both = await api.until(async () => {
    const { processes } = await look(api);
    return processes.length === 2 ? processes : undefined;
  });
  assert.deepEqual(
    both.map(({ role, maxRuns, answered }) => [role, maxRuns, answered]),
    [
      ["api", null, true],
      ["worker", 5, false],
    ],
  );
  assert.ok(both.every(({ seenSecondsAgo }) => seenSecondsAgo >= 0 && seenSecondsAgo < 15));
  // A worker announces itself, and answers nothing of the API.
  assert.equal((await worker.send("GET", "/system")).status, 404);
  await stop();
  const { processes } = await look(api);
  assert.deepEqual(
    processes.map(({ role }) => role),
    ["api"],
  );
  const database = await storage.open();
  const left = await database.read.selectFrom("processes").select("role").execute();
  assert.ok(left.every(({ role }) => role === "api"));
});

test("a process that is silent for 15 seconds is left out, and its row is removed", { skip: problem }, async (t) => {
  const { storage, api, startThird } = await openTwo(t);
  const database = await storage.open();
  const row = {
    role: "worker" as const,
    version: "0.1.0",
    host: "gone",
    pid: 1,
    startedAt: 1,
    runs: 0,
    maxRuns: 1,
    memoryBytes: 1,
  };
  const announce = async (id: string, agoMs: number) => {
    const seenAt = Date.now() - agoMs;
    await database.write((tx) =>
      tx
        .insertInto("processes")
        .values({ ...row, id, seenAt })
        .execute(),
    );
  };
  await announce("silent", 16_000);
  await announce("slow", 9_000);
  const hosts = (await look(api)).processes.map(({ id }) => id);
  assert.ok(hosts.includes("slow"));
  assert.ok(!hosts.includes("silent"));
  // Whoever announces itself tidies up.
  await startThird();
  await api.until(async () => {
    const rows = await database.read.selectFrom("processes").select("id").execute();
    return rows.some(({ id }) => id === "silent") ? undefined : true;
  });
});

test("Redis is connected or not, and its address stays secret", { skip: problem ?? !hasRedis() }, async (t) => {
  const redis = await startTestRedis(t);
  const { api } = await openTwo(t, { REDIS_URL: redis.url });
  const until = (state: System["redis"]) =>
    api.until(async () => {
      const seen = await look(api);
      return seen.redis === state ? seen : undefined;
    });
  assert.ok(!JSON.stringify(await until("connected")).includes("redis://"));
  await redis.kill();
  await until("unreachable");
  await redis.start();
  await until("connected");
});
