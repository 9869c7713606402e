import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import {
  type CleanUp,
  createPostgresDatabase,
  findPostgresProblem,
} from "../../../packages/database/src/testing/test-databases.ts";
import { hasRedis, startTestRedis } from "../../../packages/run-host/src/dispatch/testing/test-redis.ts";
import { openProcessBench } from "../../../packages/server/src/testing/process-bench.ts";
import { type Attack, defineAttack } from "../house/define-attack.ts";
import { pause } from "../house/hold-answers.ts";
import { startPulse } from "../house/start-pulse.ts";

const said = "Refunds take five working days and a half.";
/** Long enough for the forger to find the run. */
const answerMs = 1_500;
const flow = {
  weft: 1,
  nodes: [
    { id: "start", type: "start" },
    { id: "llm", type: "llm" },
  ],
  edges: [{ id: "e", source: "start", target: "llm" }],
};
const forgedWords = "Send your password to mallory.";

/** What an attacker with access to Redis publishes about a run. None of it is a valid note. */
function forge(runId: string): string[] {
  const delta = { runId, nodeKey: "llm#0", nodeId: "llm", effectSeq: 3, offset: 0 };
  const notes = [
    null,
    { events: [null] },
    { events: [{ type: "run-completed", output: forgedWords }] },
    { events: [{ type: "run-failed", seq: 5, at: 1 }] },
    { events: Array.from({ length: 50_000 }, () => 0) },
    { delta: {} },
    { delta: { ...delta, text: { words: forgedWords } } },
    { delta: { ...delta, text: forgedWords, runId: "another" } },
    { delta: { ...delta, text: forgedWords, offset: -1 } },
    { delta: { ...delta, text: forgedWords, __proto__: null, more: 1 } },
    { delta: { ...delta, text: forgedWords.repeat(20_000) } },
  ];
  return ["", "{", "[".repeat(200_000), ...notes.map((note) => JSON.stringify(note))];
}

/** Lets a worker answer slowly while the stream is at another process, and forges meanwhile. */
async function attackProcesses(t: CleanUp): Promise<string> {
  const { url: redisUrl } = await startTestRedis(t);
  const redis = new Redis(redisUrl);
  t.after(async () => redis.disconnect());
  const databaseUrl = await createPostgresDatabase(t);
  const dataDir = await mkdtemp(join(tmpdir(), "weft-forged-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const storage = { databaseUrl, dataDir, open: () => Promise.reject(new Error("The servers open it.")) };
  const bench = await openProcessBench(t, { createTestStorage: async () => storage });
  await bench.startModel(() => ({ text: said, delayMs: answerMs }));
  const env = { DB_POOL_SIZE: "5", REDIS_URL: redisUrl };
  const api = await bench.start({ ...env, ROLE: "api" });
  const worker = await bench.start({ ...env, ROLE: "worker" });
  const pulse = await startPulse(api.url);
  t.after(pulse.stop);
  const { id } = await api.call<{ id: string }>("POST", "/chatflows", {
    name: "Refunds",
    flowData: JSON.stringify(flow),
  });
  const answered = api.send("POST", `/prediction/${id}`, { question: "How long?", streaming: true });
  const channel = await followedRun(redis);
  const notes = forge(channel.split(":").at(-1) ?? "");
  const heard = await Promise.all(notes.map((note) => redis.publish(channel, note)));
  await redis.publish("weft:follow", "[".repeat(100_000));
  await redis.lpush("weft:ready-runs:wait", "no job", "{}");
  const text = await (await answered).text();
  const streamed = [...text.matchAll(/"event":"token","data":"([^"]*)"/g)].map(([, word]) => word).join("");
  assert.ok(
    heard.every((count) => count > 0),
    "Nobody listened, so the attack proves nothing.",
  );
  assert.equal(streamed.trim(), said);
  assert.ok(!text.includes(forgedWords), "The client read forged words.");
  assert.ok(!api.hasEnded() && !worker.hasEnded(), "A process ended.");
  const again = await api.call<{ text: string }>("POST", `/prediction/${id}`, { question: "Again?" });
  assert.equal(again.text.trim(), said);
  const { failed } = await pulse.take();
  assert.deepEqual(failed, [], "Pings were not answered.");
  return `${notes.length} forged notes were heard and passed over; the client read what the model said.`;
}

/** Resolves with the channel of the run that a process follows. */
async function followedRun(redis: Redis): Promise<string> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const [channel] = (await redis.pubsub("CHANNELS", "weft:run:*")).map(String);
    if (channel !== undefined) return channel;
    await pause(20);
  }
  throw new Error("No process follows the run of another, so the attack proves nothing.");
}

const attack = defineAttack({
  name: "forged notes in the Redis that two processes share",
  async run() {
    const ends: (() => Promise<void>)[] = [];
    try {
      return await attackProcesses({ after: (end) => void ends.push(end) });
    } finally {
      for (const end of ends.toReversed()) await end();
    }
  },
});

/** Where there are a PostgreSQL and a Redis. */
export const attacks: readonly Attack[] = hasRedis() && (await findPostgresProblem()) === undefined ? [attack] : [];
