// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresDatabase, forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { hasRedis, startTestRedis } from "../../../run-host/src/dispatch/testing/test-redis.ts";
import type { PlatformProcess } from "../testing/platform-process.ts";
import { openProcessBench } from "../testing/process-bench.ts";
import { llmFlow } from "../testing/test-platform.ts";

/** Leases end too late for any client: a process that leaves has to let go of its runs. */
const longLease = { RUN_LEASE_MS: "60000" };
const patienceMs = 50_000;
const modelMs = 600;

async function openBench(t: TestContext, redisUrl: string | undefined) {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-joins-"));
  const databaseUrl = await createPostgresDatabase({ after: (fn) => t.after(fn) });
  const storage = { databaseUrl, dataDir, open: () => Promise.reject(new Error("The servers open it.")) };
  const bench = await openProcessBench(t, { createTestStorage: async () => storage });
  bench.onEnd(() => rm(dataDir, { recursive: true, force: true }));
  await bench.startModel(() => ({ text: "Here I am.", delayMs: modelMs }));
  const redis = redisUrl === undefined ? {} : { REDIS_URL: redisUrl };
  return (role: "api" | "worker") => bench.start({ ROLE: role, DB_POOL_SIZE: "5", ...longLease, ...redis });
}

type Heard = { answers: number; errors: string[] };

/** A client that asks once, at one server, and takes what it gets. */
async function ask({ url, token }: PlatformProcess, agentId: string, streaming: boolean): Promise<string | undefined> {
  const response = await fetch(`${url}/api/v1/prediction/${agentId}`, {
    method: "POST",
    signal: AbortSignal.timeout(patienceMs),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ question: "Are you there?", streaming }),
  });
  const text = await response.text();
  const isWhole = streaming ? /"event":"end"/.test(text) : /"text":"Here I am\."/.test(text);
  return response.status === 200 && isWhole ? undefined : `${response.status} ${text.slice(0, 300)}`;
}

await forEachDatabase((databases) => {
  if (databases.name !== "postgres") return;
  it("processes join and leave under load, and no client hears of it", async (t) => {
    const start = await openBench(t, hasRedis() ? (await startTestRedis(t)).url : undefined);
    const [first, firstWorker] = [await start("api"), await start("worker")];
    const { id } = await first.call<{ id: string }>("POST", "/chatflows", { name: "Chat", flowData: llmFlow() });
    let [serving, turn, isOver]: [PlatformProcess[], number, boolean] = [[first], 0, false];
    const heard: Heard = { answers: 0, errors: [] };
    const client = async (streaming: boolean) => {
      while (!isOver) {
        turn += 1;
        const server = serving[turn % serving.length] ?? first;
        const error = await ask(server, id, streaming).catch((cause: unknown) => String(cause));
        heard.answers += 1;
        if (error !== undefined) heard.errors.push(error);
      }
    };
    const clients = Promise.all([false, false, false, false, true, true].map(client));
    const more = () => {
      const goal = heard.answers + 12;
      return until(() => (heard.answers >= goal ? true : undefined));
    };

    await more();
    const secondWorker = await start("worker");
    await more();
    assert.equal(await firstWorker.kill("SIGTERM"), 0);
    await more();
    const second = await start("api");
    serving = [first, second];
    await more();
    // As a proxy does that asks for readiness: what was sent before is under way when the process is told to stop.
    serving = [second];
    await sleep(50);
    assert.equal(await first.kill("SIGTERM"), 0);
    await more();
    await start("worker");
    assert.equal(await secondWorker.kill("SIGTERM"), 0);
    await more();
    isOver = true;
    await clients;
    assert.deepEqual(heard.errors, []);
  });
});
